// What frames say about tets: principal stretches, von Mises stress [Pa] and energy density [J/m^3].
//
//   F = v diag(stretch) u^T;  sigma = (1/det F) P F^T;  von Mises = sqrt(3/2 dev(sigma) : dev(sigma))
//
// Called once per frame that is written. It reads the packed terms of the objective and changes nothing in it.
#pragma once
#include <vector>

#include "resilin/io.h"

namespace resilin {

class Objective;

class TetFields {
 public:
  /// The bodies say which elements are their tets.
  explicit TetFields(const Model& model);
  /// One value (or three) per tet of the bodies, in their order.
  const std::vector<NamedField>& evaluate(const Objective& objective, const std::vector<double>& positions);

 private:
  std::vector<std::vector<int>> tet_of_element_;  // per term; -1: no tet of a body
  std::vector<NamedField> fields_;
};

}  // namespace resilin
