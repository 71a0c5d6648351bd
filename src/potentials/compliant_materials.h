// Which registered materials have a compliant form: for messages and tests.
#pragma once
#include <string>
#include <vector>

namespace resilin {

/// With default parameters.
std::vector<std::string> compliant_materials();

}  // namespace resilin
