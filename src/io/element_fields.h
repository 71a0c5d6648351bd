// What frames say about tets and the triangles of shells: principal stretches, von Mises stress [Pa] and energy
// density [J/m^3].
//
//   F = v diag(stretch) u^T;  sigma = (1/det F) P F^T;  von Mises = sqrt(3/2 dev(sigma) : dev(sigma))
//
// A triangle has two stretches, the third is written as 0; its sigma is that of the rest thickness: the product of
// its stretches stands for det F. Called once per frame that is written. It reads the packed terms of the objective
// and changes nothing in it.
#pragma once
#include <vector>

#include "resilin/io.h"

namespace resilin {

class DynamicSystem;

class ElementFields {
 public:
  /// The bodies say which elements are their tets and triangles.
  explicit ElementFields(const Model& model);
  /// One value (or three) per tet of the bodies, in their order, then per triangle of the bodies without tets.
  const std::vector<NamedField>& evaluate(const DynamicSystem& system, const std::vector<double>& positions);

 private:
  std::vector<std::vector<int>> place_;  // per term, of each element in the fields; -1: none
  std::vector<NamedField> fields_;
};

}  // namespace resilin
