// The global step of ADMM where bodies touch: the least of a function F(x) = quadratic + contact, about. The
// quadratic has a factor, contact stands in no matrix, so a few steps of Newton's method are taken, with the
// stiffness of what touches. Each is clipped where surfaces would pass through each other and
// shortened until F falls by a share of what is expected of the step that is really taken.
#pragma once
#include <vector>

#include "problem/problem.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/precondition/operator.h"

namespace resilin {

/// (H + K) d = r by conjugate gradients, K the stiffness of pairs that touch and H^-1 the preconditioner: as many
/// iterations as contact has modes that H does not know. H p follows from H z = r, so that H itself is not needed.
class PairSolve {
 public:
  /// r in d becomes the solution; `inverse` is H^-1. `tolerance` of the residual, in the norm of H^-1. Returns the
  /// iterations.
  int run(const Problem& problem, std::span<const PairStiffness> pairs, Operator& inverse, double tolerance,
          std::vector<double>& d);

 private:
  std::vector<double> residual_, z_, p_, hp_, kp_;
};

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

  LowRank with_global_;  // with energies of many vertices
  PairSolve with_pairs_;
  int evaluations_ = 0;
  double value_ = 0;
  std::vector<double> gradient_, direction_, trial_, trial_gradient_, taken_, part_;
};

}  // namespace resilin
