// The libFuzzer target of one reader: RESILIN_FUZZ_FORMAT is its name. Built by -DRESILIN_FUZZ=ON with clang
// (./test fuzz).
#include <cstdint>
#include <cstdlib>

#include "fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    resilin::ReadOptions options;
    options.linearise = size % 2 == 1;
    const resilin::MeshData mesh =
        resilin::test::read_as(RESILIN_FUZZ_FORMAT, {reinterpret_cast<const char*>(data), size}, options);
    if (!resilin::test::broken_promise(mesh).empty()) std::abort();
  } catch (const resilin::InputError&) {
  }
  return 0;
}
