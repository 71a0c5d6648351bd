// What a stage that is cut short may do. A stage is a step of backward Euler from (origin o, velocity v^p), and at
// its minimum
//
//   K(v) + V(y) <= K(v^p) + V(o) + f . (y - o),     v = (y - o)/tau,  v^p + tau M^-1 f = (target - o)/tau
//
// wherever V is convex on the way. For backward Euler o and v^p are those of the step before: no energy is made.
// Any other integrator has the same bound for each of its stages. A component that breaks it, or lies above the
// rigid start in Phi, is drawn back towards the rigid start, which keeps it. Called by the descent loop.
#pragma once
#include <vector>

#include "problem/problem.h"
#include "solvers/descent/line_search.h"

namespace resilin {

class EnergyGuard {
 public:
  /// For the components that have not converged: moves y, and what w.bodies says of them. `rigid`: the rigid start.
  void apply(Problem& problem, const std::vector<double>& rigid, std::vector<double>& y, DescentWorkspace& w,
             SolveReport& report);

 private:
  void measure(Problem& problem, const std::vector<double>& y);
  bool keeps(const Evaluation& here, int component) const;

  std::vector<double> external_, sums_, first_potential_, rigid_value_, balance_;
};

}  // namespace resilin
