// Step lengths along a descent direction. Every trial is evaluated with its gradient, so the accepted point is never evaluated
// again. Called by the descent loop.
//   Armijo        backtracking by halves (Liu et al. Alg. 1, lines 5 to 10)
//   strong Wolfe  bracketing and zoom with |Phi'(alpha)| <= c2 |Phi'(0)| (Nocedal and Wright, Algs. 3.5 and 3.6)
#pragma once
#include <vector>

#include "objective/objective.h"
#include "resilin/solver.h"
#include "solvers/pace.h"

namespace resilin {

struct LineSearch {
  bool enabled = true;
  double gamma = 0.3, shrink = 0.5;  // Liu et al. Alg. 1
  double first = 1;                  // step length to begin with
  int most = 40;                     // halvings before giving up
  bool wolfe = false;
  double curvature =
      0.9;  // c2 of strong Wolfe, as Nocedal and Wright recommend for quasi-Newton methods; c1 is gamma

  LineSearch() = default;
  explicit LineSearch(const Settings& s);
  /// line_search, search and gamma, the last at most `most_gamma`.
  static Params params(double most_gamma);
};

/// What lives from stage to stage: vectors, so that a steady-state step allocates nothing, and how long iterations take.
struct DescentWorkspace {
  std::vector<double> gradient, trial_gradient, direction, trial, start, start_gradient, sums;
  Pace pace;
};

/// The point that a search begins at.
struct SearchStart {
  const std::vector<double>& y;
  double value, slope;
  double allowance;  // of round-off (X11)
};

struct Trial {
  double value, alpha;
  int evaluations;
  bool accepted;
};

/// Along w.direction; leaves the point in w.trial, its gradient in w.trial_gradient, and the objective as evaluated there.
Trial line_search(Objective& objective, const SearchStart& start, const LineSearch& search, DescentWorkspace& w,
                  SolveReport& report);

}  // namespace resilin
