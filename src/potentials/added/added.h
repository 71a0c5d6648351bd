// Potentials that a body may have besides its material, on the same tets or triangles: limits of strain, kept areas
// and volumes. One file each; scenes list them under "potentials".
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "resilin/model.h"
#include "resilin/params.h"

namespace resilin {

/// What one is made from.
struct PotentialSource {
  const Settings& settings;
  const Elements& elements;
  std::span<const double> rest;            // xyz of all vertices of the model
  const Potential* material;               // on the same elements, or null
  int first_vertex = 0, vertex_count = 0;  // of the body, among those of the model
  std::span<const int> indices = {};       // where element i stands in per-element lists; empty: at i
  int index(int i) const { return indices.empty() ? i : indices[i]; }
  /// The stiffness that the material of an element declares [Pa], or 0.
  double material_stiffness(int element) const {
    double q[9] = {};
    if (material != nullptr) material->quadratic(element, 1, q);
    return q[0];
  }
  /// The parameter "stiffness" [Pa], or so many times the material's where it is not stated.
  double stiffness(int element, double times) const {
    const double k = settings.has("stiffness") ? settings.number("stiffness", index(element))
                                               : times * material_stiffness(element);
    if (!(k > 0))
      settings.value("stiffness").fail("the body has no material to be compared with: state a stiffness");
    return k;
  }
};

struct PotentialPlugin {
  std::string doc;
  Params params;
  std::vector<ElementKind> on;  // kinds that it can stand on
  std::string shapes = {};      // the parameter that lists shapes of the body, if any: scenes read mesh files there
  std::function<std::shared_ptr<const Potential>(const PotentialSource&)> make;
};

}  // namespace resilin
