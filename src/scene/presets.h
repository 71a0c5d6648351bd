// Presets of materials and of sheets by name, with where their numbers come from.
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

/// What a shell is made of, as cloth is measured: all of it per area or per width.
struct SheetPreset {
  std::string name, material;
  double surface_density, thickness;  // [kg/m^2], [m]
  double stretch, bending, poisson;   // [N/m] = young times thickness, [N m], -
  std::string source;
  double young() const { return stretch / thickness; }
};

const std::vector<SheetPreset>& sheet_presets();

}  // namespace resilin
