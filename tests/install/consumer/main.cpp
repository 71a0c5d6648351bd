// The smallest host program: links the installed library, calls into it and catches what it throws.
#include <resilin/errors.h>
#include <resilin/version.h>

#include <cstdio>
#include <cstring>

#if !defined(RESILIN_VERSION_MAJOR) || !defined(RESILIN_VERSION_MINOR) || !defined(RESILIN_VERSION_PATCH)
#error "resilin/version.h has no numbers for the preprocessor"
#endif

int main() {
  std::printf("resilin %s (%s), %d-bit SIMD\n", resilin::version(), resilin::commit(), resilin::simd_bits());
  if (std::strcmp(resilin::version(), RESILIN_VERSION_STRING) != 0) return 3;
  if (std::strcmp(resilin::name(resilin::Status::converged), "converged") != 0) return 1;
  try {
    throw resilin::InputError("scene.json: step", "must be > 0");
  } catch (const resilin::InputError& error) {
    return std::strcmp(error.what(), "scene.json: step: must be > 0") == 0 ? 0 : 2;
  }
}
