// Material presets by name, with where their numbers come from.
#pragma once
#include <string>
#include <vector>

namespace resilin {

struct MaterialPreset {
  std::string name, material;      // the registered material that it uses
  double young, poisson, density;  // [Pa], -, [kg/m^3]
  std::string source;
};

const std::vector<MaterialPreset>& material_presets();

}  // namespace resilin
