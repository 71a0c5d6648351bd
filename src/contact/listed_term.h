// Terms whose elements change from stage to stage, or while a stage is solved: contact between bodies, friction and
// restitution of obstacles. They stand outside of the partition and of the constant Hessian, so that a change costs
// no factorisation.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "resilin/model.h"
#include "resilin/state.h"

namespace resilin {

/// The curvature of Phi along a pair of surface parts that touch, u = sum_i weight_i dx_i:
///   stiffness/2 (normal . u)^2 + tangential/2 |u - (normal . u) normal|^2
struct PairStiffness {
  std::array<int, 4> vertices;
  std::array<double, 4> weight;  // sums to zero
  std::array<double, 3> normal;
  double stiffness, tangential = 0;    // [N/m]; tangential: of a contact that stuck when the last stage ended
  std::array<double, 6> hessian = {};  // by u at the point asked about, lower triangle row by row
};

class ListedTerm {
 public:
  virtual ~ListedTerm() = default;
  /// Elements and potentials as they are now, as many terms as ever. Components that an element couples are solved
  /// together.
  virtual std::span<const Term> terms() const = 0;
  /// A stage begins with what `memory` has kept of earlier ones; a stage has ended at x. Names of its own in
  /// `memory`.
  virtual void begin(const Stage& stage, const Memory& memory) = 0;
  virtual void end(const double* x, Memory& memory) = 0;
  /// Phi is evaluated at x next: every element that counts there is listed afterwards. Phi does not change by it.
  /// True: the elements did.
  virtual bool ensure_listed(const double* /*x*/) { return false; }
  /// Adds the pairs that touch at x: for preconditioners.
  virtual void add_pairs(const double* /*x*/, std::vector<PairStiffness>& /*pairs*/) const {}
};

}  // namespace resilin
