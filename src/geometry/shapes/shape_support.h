// What the shape and sheet files share: checked options and errors that point into the scene. Included by
// src/geometry/shapes and src/geometry/sheets only.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "resilin/errors.h"
#include "resilin/shapes.h"

namespace resilin {

inline void require_positive(double value, const char* field) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(field, std::to_string(value) + " must be positive and finite");
}

inline void require_finite(const Vec3& value, const char* field) {
  for (double v : value)
    if (!std::isfinite(v)) throw InputError(field, std::to_string(v) + " must be finite");
}

/// fill_implicit for a solid that is known not to be empty: a mesh without tets means that the spacing is too
/// coarse.
inline TetMesh fill_solid(const ImplicitFunction& f, const Bounds& region, double spacing) {
  FillOptions options;
  options.region = region;
  options.spacing = spacing;
  TetMesh mesh = fill_implicit(f, options);
  if (mesh.tets.empty())
    throw InputError("spacing", std::to_string(spacing) + " is too coarse for this solid: no tet fits into it");
  return mesh;
}

/// Runs make() and prefixes what it throws with the place of the settings: "scene.json:
/// bodies[0].shape.size".
template <class Make>
auto located(const Settings& settings, Make&& make) {
  try {
    return make();
  } catch (const InputError& e) {
    if (settings.where().empty()) throw;
    throw InputError(settings.where() + "." + e.where(), e.problem());
  }
}

/// Two numbers of a sheet; inside of located().
inline std::array<double, 2> pair_of(const Settings& s, const char* key) {
  const std::vector<double> v = s.numbers(key);
  if (v.size() != 2) throw InputError(key, "two numbers [x, y] are wanted");
  return {v[0], v[1]};
}
inline std::array<int, 2> whole_pair_of(const Settings& s, const char* key) {
  const auto [x, y] = pair_of(s, key);
  if (x != std::round(x) || y != std::round(y)) throw InputError(key, "two whole numbers [x, y] are wanted");
  if (std::max(std::abs(x), std::abs(y)) > 1e9) throw InputError(key, "numbers up to 1e9 are wanted");
  return {static_cast<int>(x), static_cast<int>(y)};
}

inline Param spacing_param() {
  return number("spacing", "m", 0.1, positive(), "edge length of the lattice; tets have about this size");
}
inline Param center_param() { return vector3("center", "m", {0, 0, 0}, "position of the centre"); }

}  // namespace resilin
