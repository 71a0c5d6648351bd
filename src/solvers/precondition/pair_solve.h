// (H + K) d = r by conjugate gradients, K the stiffness of pairs that touch  and H^-1 the
// preconditioner: as many iterations as contact has modes that H does not know. H p follows from H z = r, so that H
// itself is not needed. Used by the global step of admm.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "problem/problem.h"
#include "solvers/precondition/operator.h"

namespace resilin {

class PairSolve {
 public:
  /// r in d becomes the solution; `inverse` is H^-1. `tolerance` of the residual, in the norm of H^-1. Returns the
  /// iterations.
  int run(const Problem& problem, std::span<const PairStiffness> pairs, Operator& inverse, double tolerance,
          std::vector<double>& d);

 private:
  std::vector<double> residual_, z_, p_, hp_, kp_;
};

}  // namespace resilin
