// Step lengths along a descent direction, one for each connected component. Every trial is evaluated with its
// gradient, so an accepted point is never evaluated again; components that have found theirs are left out of
// further trials. Called by the descent loop.
//   parabola      backtracking to the least point of the parabola through value, slope and trial
//   armijo        backtracking by halves (Liu et al. Alg. 1, lines 5 to 10)
//   strong Wolfe  bracketing and zoom to |Phi'(alpha)| <= c2 |Phi'(0)|, one length for all (Nocedal and Wright,
//                 Algs. 3.5 and 3.6)
#pragma once
#include <array>
#include <vector>

#include "problem/problem.h"
#include "resilin/solver.h"
#include "solvers/progress/iterations.h"

namespace resilin {

struct LineSearch {
  bool enabled = true;
  double gamma = 0.3, shrink = 0.5;  // Liu et al. Alg. 1
  int most = 40;                     // cuts before giving up
  bool parabola = false, wolfe = false;
  // The c2 of strong Wolfe, as Nocedal and Wright recommend for quasi-Newton methods; c1 is gamma.
  double curvature = 0.9;

  LineSearch() = default;
  explicit LineSearch(const Settings& s);
  /// line_search, search and gamma, the last at most `most_gamma`.
  static Params params(double most_gamma);
};

/// A component on its way down; those of an island (components.h) have the same numbers.
struct Descending {
  enum class Progress { running, converged, stalled };
  Progress state = Progress::running;
  double value = 0, inertia = 0, potential = 0, square = 0;  // of Phi and |g|^2 at its point
  double slope = 0, length = 0;                              // g.d, and |d| by vertex, root mean square
  double precision = 0, round_off = 0;                       // of Phi there
  double error = -1;                                         // as in StopRule, where it was measured last
  // Phi of the last iterations: where they gain little each, more is left to gain than g.d says.
  static constexpr int window = 4;
  std::array<double, 2 * window + 1> past{};
  int pasts = 0;
  void note_value() { past[pasts++ % past.size()] = value; }
  /// About 2 (Phi - Phi*): -g.d, or what goes on for ever as the last two windows of iterations have gone.
  double left_to_gain() const;
  void take(const Evaluation::Part& here);
  // Of the search. gain: g.s of the step s that is taken, which contact may have shortened at some vertices.
  double alpha = 1, gain = 0;
  int trials = 0;
  bool accepted = false, polishing = false;
  double fall = 0.81;  // of |g|^2, that a polishing step must reach
};

/// What lives from stage to stage: vectors, so that a steady-state step allocates nothing, and how long iterations
/// take.
struct DescentWorkspace {
  std::vector<double> gradient, trial_gradient, direction, trial, start_gradient, dots;
  std::vector<double> rigid_trial, rigid_gradient, errors;
  std::vector<Descending> bodies, rigid, from_guess;  // by component
  std::vector<char> active, running, contested;
  Evaluation here;                  // of the newest evaluation
  std::vector<double> taken, part;  // of make_step: the step, and by component what contact has left of it
  LimitedStep limited;              // by contact, the last step that was tried
  Pace pace;
};

/// to = from + alpha w.direction on active components, vertices shortened where contact wants it; `gain` of
/// `bodies`, and `alpha` where the whole of a component had to be shortened.
void make_step(Problem& problem, const std::vector<double>& from, const std::vector<double>& gradient,
               std::vector<Descending>& bodies, DescentWorkspace& w, std::vector<double>& to);

/// Along w.direction from y, for the components that are running and whose slope, first alpha and `polishing` are
/// set (then the step is taken as it is). Leaves the points in w.trial, the gradients in w.trial_gradient and what
/// Phi is there in w.bodies; `accepted` says of which. The others have y and w.gradient there. Returns the
/// evaluations.
int line_search(Problem& problem, const std::vector<double>& y, const LineSearch& search, DescentWorkspace& w);

}  // namespace resilin
