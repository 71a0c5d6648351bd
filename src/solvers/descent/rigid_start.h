// The rigid motion of a floating component, or island of them, that is best for the stage: of all y = R x + t, x
// the stage's origin, the one with the least
//
//   1/(2 tau^2) |y - target|_M^2 + contact(y)
//
// Elastic energies do not change under it, so Phi there is at most Phi(origin): not moving is never better. Without
// contact it is the mass-weighted Procrustes motion (rigid_step.h), else Gauss-Newton in the six unknowns goes on
// from there. It costs passes over vertices only. A stiff body needs it: steps of a linear solve cannot turn it,
// since they stretch it by the square of the angle. Held components stay at the origin, with their pins in place;
// where steps are bounded they are moved along with them. Used by the descent loop.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "problem/problem.h"
#include "resilin/state.h"

namespace resilin {

class RigidStart {
 public:
  /// Into `start`, for active components; pinned vertices as in `y`.
  void find(Problem& problem, const std::vector<double>& y, std::vector<double>& start);
  /// Inertia and contact of a component there: a lower bound of Phi where other energies are not negative.
  double bound(int component) const { return value_[component]; }

 private:
  void find_floating(const Problem& problem);
  void begin_low(const Problem& problem, const std::vector<double>& start);
  void improve(Problem& problem, std::vector<double>& start);
  void measure(Problem& problem, const std::vector<double>& start);
  double step(const Problem& problem, const std::vector<double>& start, const std::vector<int>& component,
              double motion[6]) const;
  static void move(const std::vector<int>& component, std::span<const double> mass, const double motion[6],
                   std::vector<double>& start);

  std::vector<const std::vector<int>*> floating_;  // the active ones
  std::vector<std::vector<int>> merged_;           // of components that touch
  std::vector<PointStiffness> contacts_;
  std::vector<int> first_;             // contacts_ by island
  std::vector<double> value_, trial_;  // value_: of the island of each component
  std::vector<double> best_value_, origin_value_, moved_, sums_;
  std::vector<std::array<double, 6>> motion_;  // by floating component
  std::vector<char> running_, waiting_;
};

}  // namespace resilin
