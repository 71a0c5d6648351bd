// Text at the end of a string, for the writers of files.
#pragma once
#include <fmt/format.h>

#include <string>

namespace resilin {

/// fmt::format_to on a back_inserter would do too, and would cost each file that does three seconds to compile: fmt's library has its code for
/// its own buffer alone.
template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::memory_buffer buffer;
  fmt::vformat_to(fmt::appender(buffer), format, fmt::make_format_args(args...));
  out.append(buffer.data(), buffer.size());
}

}  // namespace resilin
