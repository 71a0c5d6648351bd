#include "potentials/compliant_materials.h"

#include "potentials/material.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin {

std::vector<std::string> compliant_materials() {
  std::vector<std::string> out;
  for (const auto& entry : registry<MaterialPlugin>()) {
    try {
      const Settings settings = entry.plugin.params.defaults();
      const ElementSettings one{&settings, 0};
      if (entry.plugin.make(std::span(&one, 1))->compliant_form({}) != nullptr) out.push_back(entry.name);
    } catch (const InputError&) {  // no defaults, as a spline without curves
    }
  }
  return out;
}

}  // namespace resilin
