// The global step of ADMM where bodies touch: the least of a function F(x) = quadratic + contact, about. The
// quadratic has a factor, contact stands in no matrix, so a few steps of Newton's method are taken, with the
// stiffness of what touches (pair_solve.h). Each is clipped where surfaces would pass through each other and
// shortened until F falls by a share of what is expected of the step that is really taken.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "problem/problem.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/precondition/pair_solve.h"

namespace resilin {

class ContactStep {
 public:
  /// `inner` is the inverse of the quadratic's Hessian.
  explicit ContactStep(Operator& inner) : with_global_(inner) {}
  /// F and its gradient.
  using Function = FunctionRef<double(const std::vector<double>&, std::vector<double>&)>;

  /// Moves y from a point that is allowed to one that is allowed; returns the evaluations of F.
  int run(Problem& problem, Function function, std::vector<double>& y);

  LimitedStep limited;  // by contact, the last step that was tried

 private:
  void find_direction(Problem& problem, const std::vector<double>& y);
  bool step(Problem& problem, Function function, std::vector<double>& y);
  double dot(const Problem& problem, const std::vector<double>& a, const std::vector<double>& b);

  LowRank with_global_;  // with energies of many vertices
  PairSolve with_pairs_;
  int evaluations_ = 0;
  double value_ = 0;
  std::vector<double> gradient_, direction_, trial_, trial_gradient_, taken_, part_, sums_;
};

}  // namespace resilin
