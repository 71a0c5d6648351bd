"""./run in a copy of its own with stand-ins for apt, cmake, ninja and the command: what is installed, where things are
said, what is passed on."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = "awk bash cat cp dirname env flock grep head mkdir nproc readlink rm sed sh sleep tail touch".split()
STUBS = {
    "id": "echo ${FAKE_UID:-0}",
    "g++": "true",
    "dpkg-query": 'case "$*" in *libmetis-dev*) test -e "$STATE/installed" && echo installed; exit 0;; esac; echo installed',
    "apt-get": 'echo "apt-get $*"; case $1 in install) touch "$STATE/installed";; esac',
    "cmake": 'echo configured; echo "cmake $*" >>"$STATE/log"; touch build/release/build.ninja',
    "ninja": 'if test -e "$STATE/fresh"; then echo "ninja: no work to do."; exit 0; fi\n'
             'echo "[1/1] Building"; test -e "$STATE/broken" && { echo "FAILED: x.o"; exit 1; }\n'
             'echo "ninja $*" >>"$STATE/log"; mkdir -p "$2/apps/cli"; cp "$STATE/command" "$2/apps/cli/resilin"\n'
             'touch "$STATE/fresh"',
}
COMMAND = '#!/bin/sh\nprintf "[%s]" "$(pwd -P)" "$@"\nexit ${STATUS:-0}\n'


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.base = Path(self.folder.name).resolve()
        self.root, self.bin, self.state = self.base / "checkout", self.base / "bin", self.base / "state"
        for folder in (self.root / "scripts", self.bin, self.state, self.base / "else where"):
            folder.mkdir(parents=True)
        for name in ("run", "test", "scripts/common.sh", "CMakePresets.json"):
            shutil.copy(ROOT / name, self.root / name)
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for name, text in STUBS.items():
            self.script(self.bin / name, "#!/bin/sh\n" + text + "\n")
        self.script(self.state / "command", COMMAND)

    def tearDown(self):
        self.folder.cleanup()

    def script(self, path, text):
        path.write_text(text)
        path.chmod(0o755)

    def run_it(self, *arguments, **environment):
        return subprocess.run([self.root / "run", *arguments], cwd=self.base / "else where", capture_output=True,
                              text=True, env={"PATH": str(self.bin), "STATE": str(self.state), **environment})

    def test_options_alone_are_those_of_run(self):
        here = f"[{self.base}/else where]"
        self.assertEqual(self.run_it().stdout, here + "[run]")
        self.assertEqual(self.run_it("--frames", "10").stdout, here + "[run][--frames][10]")
        self.assertEqual(self.run_it("--help").stdout, here + "[--help]")
        self.assertEqual(self.run_it("--version").stdout, here + "[--version]")

    def test_installs_builds_and_passes_arguments_on(self):
        result = self.run_it("compare", "a b.json", "--json")
        self.assertEqual(result.stdout, f"[{self.base}/else where][compare][a b.json][--json]")
        self.assertEqual(result.returncode, 0)
        self.assertIn("missing Debian packages: libmetis-dev\n", result.stderr)
        self.assertIn("apt-get install -y -q --no-install-recommends libmetis-dev\n", result.stderr)
        log = (self.state / "log").read_text()
        self.assertIn("--preset release", log)
        self.assertIn("resilin_cli resilin_lab_cli", log)

    def test_builds_the_laboratory_only_when_it_is_asked_for(self):
        self.run_it("list")
        self.assertNotIn("resilin_lab_cli", (self.state / "log").read_text())
        for words in (("reproduce", "E1"), ("--json", "bench"), ("list", "experiments")):
            (self.state / "fresh").unlink()
            (self.state / "log").unlink()
            self.run_it(*words)
            self.assertIn("resilin_lab_cli", (self.state / "log").read_text(), words)

    def test_warnings_stay_until_their_object_is_compiled_without(self):
        kept = self.root / "build/release/warnings.txt"
        building = "[1/2] Building CXX object {}\\n"
        for output, expected in (
                (building.format("a.o") + "x.cpp:1:2: warning: shadowed\\n" + building.format("b.o"), "a.o: x.cpp:1:2: warning: shadowed\n"),
                (building.format("b.o"), "a.o: x.cpp:1:2: warning: shadowed\n"),
                (building.format("a.o"), "")):
            self.script(self.bin / "ninja", f"#!/bin/sh\nprintf '{output}'; mkdir -p \"$2/apps/cli\"; cp \"$STATE/command\" \"$2/apps/cli/resilin\"\n")
            self.run_it()
            self.assertEqual(kept.read_text(), expected)

    def test_is_quiet_and_lazy_the_second_time(self):
        self.run_it()
        (self.state / "log").unlink()
        result = self.run_it("list")
        self.assertEqual(result.stderr, "")
        self.assertFalse((self.state / "log").exists())

    def test_without_arguments_runs_the_default_scene(self):
        self.assertTrue(self.run_it().stdout.endswith("[run]"))

    def test_passes_the_exit_status_on(self):
        self.assertEqual(self.run_it("run", STATUS="2").returncode, 2)

    def test_user_without_sudo_is_told_what_to_do(self):
        result = self.run_it(FAKE_UID="1000")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertIn("not root and there is no sudo", result.stderr)
        self.assertIn("apt-get install -y libmetis-dev", result.stderr)

    def test_user_with_sudo(self):
        self.script(self.bin / "sudo", '#!/bin/sh\necho "sudo $*"\nexec "$@"\n')
        result = self.run_it("list", FAKE_UID="1000")
        self.assertEqual(result.returncode, 0)
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive apt-get install", result.stderr)

    def test_a_failed_build_is_shown_and_nothing_runs(self):
        (self.state / "broken").touch()
        result = self.run_it()
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "")
        self.assertIn("FAILED: x.o", result.stderr)

    def test_changed_scripts_check_the_packages_again(self):
        self.run_it()
        (self.state / "installed").unlink()
        self.assertEqual(self.run_it("list").stderr, "")
        later = time.time() + 10
        os.utime(self.root / "scripts" / "common.sh", (later, later))
        self.assertIn("missing Debian packages", self.run_it("list").stderr)


if __name__ == "__main__":
    unittest.main()
