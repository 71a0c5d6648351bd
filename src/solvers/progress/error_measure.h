// The error of a point (StopRule) for solvers that have no approximation of the inverse Hessian of Phi at hand:
// ADMM, XPBD, PBD and projective dynamics are measured with that of quasi_newton, the constant Hessian with contact
// rows and the coarse level at that point.
#pragma once
#include <memory>
#include <vector>

#include "solvers/precondition/initial_hessian.h"
#include "solvers/progress/iterations.h"

namespace resilin {

class ErrorMeasure {
 public:
  ErrorMeasure();
  /// A stage begins.
  void begin() { fresh_ = true; }
  /// Notes the errors at y in the report; `here` and `gradient` are what Phi is there. True when all are small
  /// enough.
  bool accurate(Problem& problem, const std::vector<double>& y, const std::vector<double>& gradient,
                const Evaluation& here, const Iterations& iterations, SolveReport& report);

 private:
  std::unique_ptr<InitialHessian> hessian_;
  Memory memory_;  // nothing of it lasts
  bool fresh_ = true;
  std::vector<double> direction_, dots_, errors_;
};

}  // namespace resilin
