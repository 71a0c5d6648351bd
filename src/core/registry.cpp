#include "resilin/registry.h"

#include <fmt/format.h>

#include "resilin/errors.h"

namespace resilin {

void unknown_plugin(const std::string& kind, const std::string& name, const std::vector<std::string>& known,
                    const std::string& where) {
  const std::string near = nearest_name(name, known);
  throw InputError(where,
                   fmt::format("there is no {} \"{}\"{}; registered: {}", kind, name,
                               near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near), join_or(known)));
}

}  // namespace resilin
