# What ./run and ./test share: install what is missing, configure, build. Everything said here goes to standard error,
# so that `./run ... --json` stays clean. The caller sets `root` (the checkout) and `set -euo pipefail`.
# shellcheck shell=bash disable=SC2154

run_packages=(g++ cmake ninja-build libeigen3-dev libmetis-dev zlib1g-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libboost-dev)
# shellcheck disable=SC2034  # read by ./run view
page_packages=(nodejs npm)
# shellcheck disable=SC2034  # read by ./test
test_packages=("${run_packages[@]}" "${page_packages[@]}" libgtest-dev libbenchmark-dev python3 clang-format chromium
  python3-dev python3-numpy python3-scipy python3-matplotlib python3-pytest python3-pip python3-venv python3-pybind11 pybind11-dev)
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

say() { printf 'resilin: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# One build at a time per checkout; unlock_build before anything long that is not a build.
lock_build() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  flock -n 9 || { say "waiting for another build in $root/build"; flock 9; }
}
unlock_build() { exec 9>&-; }

# A tool counts as present when its command is (your own compiler or cmake is respected), a library when dpkg has it.
is_present() {
  case $1 in
    g++ | cmake | python3 | clang-format | clang-tidy) command -v "$1" >/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    nodejs) command -v node >/dev/null ;;
    npm | chromium) command -v "$1" >/dev/null ;;
    *) [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]] ;;
  esac
}

install_packages() {
  local sudo=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null ||
      die "cannot install them: not root and there is no sudo. As root: apt-get install -y $*"
    sudo=(sudo)
  fi
  say "installing with ${sudo[*]}${sudo:+ }apt-get"
  "${sudo[@]}" apt-get update -q >&2 || say "apt-get update failed; trying with the lists there are"
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >&2 ||
    die "installing failed. By hand: ${sudo[*]}${sudo:+ }apt-get install -y $*"
}

# ensure_packages SET PACKAGE...: the stamp saves asking dpkg each time; editing these scripts asks again.
ensure_packages() {
  local stamp=$root/build/.packages_$1 missing=() package
  shift
  # "Not older" rather than "newer": two touches within one tick of the file system's clock have the same time.
  if [[ -f $stamp && ! $root/scripts/common.sh -nt $stamp && ! $root/run -nt $stamp && ! $root/test -nt $stamp ]]; then
    return
  fi
  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    for package in "$@"; do is_present "$package" || missing+=("$package"); done
    if [[ ${#missing[@]} -gt 0 ]]; then
      say "missing Debian packages: ${missing[*]}"
      install_packages "${missing[@]}"
    fi
  else
    say "this is not Debian; needed are the counterparts of: $*"
  fi
  touch "$stamp"
}

# configure PRESET SET: only when there is something to configure (first time, another checkout's cache, changed presets,
# newly installed packages). Changed CMake files are noticed by the build itself.
configure() {
  local preset=$1 dir=$root/build/$1 packages=$root/build/.packages_$2 fresh=()
  local stamp=$dir/.configured log=$dir/configure.log
  if [[ -f $dir/build.ninja && -f $stamp && $(<"$stamp") == "$root" && ! $root/CMakePresets.json -nt $stamp &&
    ! $packages -nt $stamp ]]; then return; fi
  if [[ -f $dir/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    fresh=(--fresh)
  fi
  mkdir -p "$dir"
  say "configuring build/$preset"
  if ! (cd "$root" && cmake --preset "$preset" "${fresh[@]}") >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$stamp" "$packages"
    die "configuring failed ($log)"
  fi
  printf '%s\n' "$root" >"$stamp"
}

# A page that could not be bundled is empty: to be tried again, now that node may be there.
retry_page() {  # retry_page PRESET
  find "$root/build/$1/apps/viewer/dist" -name '*.html' -empty -delete 2>/dev/null || true
}

# Reads ninja's lines: all go to standard output (the log), the first real one announces the build, a terminal sees the rest
# in place.
follow_build() {
  local line announced='' live='' width
  if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
    live=yes
    width=$(tput cols 2>/dev/null || echo 80)
  fi
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in 'ninja: no work'* | 'ninja: Entering'* | *'Re-checking globbed'*) continue ;; esac
    if [[ -z $announced ]]; then say "building build/$1 (log: build/$1/build.log)"; fi
    announced=yes
    if [[ -n $live ]]; then printf '\r\033[K%s' "${line:0:width-1}" >&2; fi
  done
  if [[ -n $live && -n $announced ]]; then printf '\r\033[K' >&2; fi
}

# build PRESET TARGET...
build() {
  local preset=$1 dir=$root/build/$1 log=$root/build/$1/build.log
  shift
  if ! NINJA_STATUS='[%f/%t] ' ninja -C "$dir" -j "$jobs" "$@" 2>&1 | follow_build "$preset" >"$log"; then
    if grep -qE '^(FAILED:|CMake Error)' "$log"; then
      sed -nE '/^(FAILED:|CMake Error)/,$p' "$log" | head -n 80 >&2
    else
      tail -n 40 "$log" >&2
    fi
    if grep -q 'No such file or directory' "$log"; then rm -f "$root"/build/.packages_*; fi  # look again next time
    die "building failed ($log)"
  fi
  keep_warnings "$dir" "$log"
}

# warnings.txt: the warnings of every object as it was last compiled, one per line behind the object's name. ./test fails while there are some.
keep_warnings() {
  local dir=$1 log=$2 kept=$1/warnings.txt
  awk -v kept="$kept" '
    /^\[[0-9]+\/[0-9]+\] / { object = $NF; if (/ Building /) built[object] = 1 }
    /warning:/ { lines[++count] = object ": " $0 }
    END {
      while ((getline line < kept) > 0) { split(line, part, ": "); if (!(part[1] in built)) old[++olds] = line }
      close(kept)
      printf "" > kept
      for (i = 1; i <= olds; ++i) print old[i] > kept
      for (i = 1; i <= count; ++i) print lines[i] > kept
    }' "$log"
}
