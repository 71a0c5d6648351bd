// Text at the end of a string, for the writers of files.
#pragma once
#include <fmt/format.h>

#include <string>

namespace resilin {

/// fmt::format_to would do too, and would cost each file that calls it three seconds to compile: fmt's library has
/// the code of format() alone.
template <class... Args>
void put_text(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  out += fmt::vformat(format, fmt::make_format_args(args...));
}

}  // namespace resilin
