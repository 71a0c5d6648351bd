#include "integrators/tr_bdf2_step.h"

#include <cmath>

namespace resilin {

TrBdf2Step::TrBdf2Step(double gamma) : gamma_(gamma), first_(gamma / 2), second_((1 - gamma) / (2 - gamma)) {
  if (std::abs(first_ - second_) < 1e-15)
    second_ = first_;  // equal to the last bit, so that the factor is found again
}

// Eqs. 35 and 36 (with X14, X15).
Status TrBdf2Step::step(const State& now, State& next, double h, Stepper& stepper) {
  stepper.external(now.time, external_);
  const std::vector<double>& a = history_.start(now, h, stepper, external_);
  const double first = first_ * h;
  combine(one_.stage.origin, 1, now.q, first, now.v);
  combine(one_.velocity_start, 1, now.v, first, a);
  one_.stage.begin_at(now.time, now.q);
  const Status status = one_.solve(now.time + gamma_ * h, first, now.v, stepper, q_, v_);
  if (status == Status::not_finite || status == Status::cancelled) return status;
  stepper.prescribe(now.time + gamma_ * h, q_, v_);

  const double scale = 1 / (gamma_ * (2 - gamma_)), back = -(1 - gamma_) * (1 - gamma_) * scale;
  combine(two_.stage.origin, scale, q_, back, now.q);
  combine(two_.velocity_start, scale, v_, back, now.v);
  two_.stage.begin_at(now.time + gamma_ * h, q_);
  const Status last = two_.solve(now.time + h, second_ * h, now.v, stepper, next.q, next.v);
  history_.keep(two_.stage, two_.velocity_start, two_.external, next);
  stepper.prescribe(now.time + h, next.q, next.v);
  return worse(status, last);
}

}  // namespace resilin
