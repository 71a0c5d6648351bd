// The libFuzzer target of the messages of the page. Built by -DRESILIN_FUZZ=ON with clang (./test fuzz).
#include <cstdint>
#include <cstdlib>

#include "fuzz/message_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    if (!resilin::test::broken_message({reinterpret_cast<const char*>(data), size}).empty()) std::abort();
  } catch (const resilin::InputError&) {
  }
  return 0;
}
