// Runs before main and before the library's own static objects. Plain C calls only: an inline function of a C++
// header may be the library's copy of it, compiled for a CPU that this one is not.
#include "cpu_check.h"

#include <unistd.h>

#include <cstdio>

#include "resilin/version.h"

namespace {

resilin::cli::CpuFeatures this_cpu() {
  resilin::cli::CpuFeatures cpu;
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  cpu.avx2 = __builtin_cpu_supports("avx2");
  cpu.fma = __builtin_cpu_supports("fma");
  cpu.avx512f = __builtin_cpu_supports("avx512f");
  cpu.avx512dq = __builtin_cpu_supports("avx512dq");
  cpu.avx512vl = __builtin_cpu_supports("avx512vl");
#else
  cpu = {true, true, true, true, true};  // other families have no such widths to miss
#endif
  return cpu;
}

__attribute__((constructor(101))) void check_cpu() {
  const char* missing = resilin::cli::missing_feature(resilin::simd_bits(), this_cpu());
  if (missing == nullptr) return;
  std::fprintf(
      stderr,
      "resilin: this build needs a CPU with %s (it was compiled for %d-bit SIMD, RESILIN_ARCH=%s), which this one "
      "lacks.\nRebuild for more CPUs with: cmake --preset release -DRESILIN_ARCH=x86-64-v3 && cmake --build "
      "--preset release\n(or -DRESILIN_ARCH=x86-64-v2 where AVX2 is missing)\n",
      missing, resilin::simd_bits(), resilin::architecture());
  ::_exit(2);
}

}  // namespace
