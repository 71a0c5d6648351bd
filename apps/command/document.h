// Documents of `--json`: exactly one on standard output and nothing else there.
#pragma once
#include <array>
#include <string>

#include "resilin/params.h"

namespace resilin::cli {

/// JSON text with indentation; lists of plain values stay on one line, what is not finite becomes null.
std::string pretty(const Value& value);
/// Prints the document on standard output.
void print_document(const Value& value);

Value vector_value(const std::array<double, 3>& v);
Value list_of(const std::vector<std::string>& names);

}  // namespace resilin::cli
