// The second level of two-level quasi-Newton as an operator: d = B r + Z (H_c^-1 - 1) Z^T r around the operator B
// inside (coarse_space.h). Until it is linearised, and for components that drop it, it is B.
#pragma once
#include <array>

#include "solvers/precondition/coarse_space.h"
#include "solvers/precondition/operator.h"

namespace resilin {

class Coarse final : public Operator {
 public:
  /// A stage begins. `modes` of each body; 0: none. `inner` must stay until the next begin.
  void begin(Problem& problem, Operator& inner, Factor& factor, int modes);
  /// Takes the true Hessian at y, and the contacts of `obstacles`.
  void linearise(const double* y, const ObstacleLevel& obstacles);
  /// Contacts are others now.
  void renew_contact(const ObstacleLevel& obstacles);
  bool linearised() const { return linearised_; }
  bool in_use(int component) const { return linearised_ && space().in_use(component); }
  void drop(int component) { space().drop(component); }
  void apply(const double* r, double* d) override;

 private:
  CoarseSpace& space() { return spaces_[current_]; }
  const CoarseSpace& space() const { return spaces_[current_]; }

  Problem* problem_ = nullptr;
  Operator* inner_ = nullptr;
  std::array<CoarseSpace, 2> spaces_;  // as many as factors are kept
  std::size_t current_ = 0;
  bool linearised_ = false;
};

}  // namespace resilin
