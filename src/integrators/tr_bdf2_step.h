// One step of TR-BDF2, shared by the integrator of that name and by the start of BDF2.
#pragma once
#include "integrators/force_history.h"
#include "integrators/implicit_stage.h"

namespace resilin {

class TrBdf2Step {
 public:
  /// 2 - sqrt 2: both stages have the same tau, so that one factorisation serves both.
  static constexpr double best_gamma = 0.58578643762690495;
  explicit TrBdf2Step(double gamma = best_gamma);

  double first_fraction() const { return first_; }    // tau / h of the trapezoidal stage
  double second_fraction() const { return second_; }  // tau / h of the BDF2 stage
  /// Writes next.q and next.v, pins in place.
  Status step(const State& now, State& next, double h, Stepper& stepper);
  /// Stores in next.history what the next step begins with.
  void remember(State& next, double h, Stepper& stepper) const { history_.commit(next, h, stepper); }

 private:
  double gamma_, first_, second_;
  ForceHistory history_;
  ImplicitStage one_, two_;
  std::vector<double> external_, q_, v_;
};

}  // namespace resilin
