// What implicit integrators do alike: a stage with target = origin + tau v^p + tau^2 M^-1 f_ext, after which the
// velocity is (y - origin)/tau (Brown et al. Eq. 31).
#pragma once
#include "resilin/integrator.h"

namespace resilin {

struct ImplicitStage {
  Stage stage;
  std::vector<double> velocity_start, external;  // v^p; M^-1 f_ext at the stage's time

  /// origin and velocity_start are set by the caller; `velocity` is that of the step's start. The guess is the target.
  void begin(double time, double tau, const std::vector<double>& velocity, Stepper& stepper) {
    const std::size_t n = stage.origin.size();
    stage.time = time;
    stage.tau = tau;
    stage.velocity = velocity;
    stepper.external(time, external);
    stage.target.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      stage.target[i] = stage.origin[i] + tau * (velocity_start[i] + tau * external[i]);
    stage.guess = stage.target;
  }
  /// The velocity that goes with the stage's result.
  void end(const std::vector<double>& q, std::vector<double>& v) const {
    v.resize(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) v[i] = (q[i] - stage.origin[i]) / stage.tau;
  }
  Status solve(double time, double tau, const std::vector<double>& velocity, Stepper& stepper,
               std::vector<double>& q, std::vector<double>& v) {
    begin(time, tau, velocity, stepper);
    const Status status = stepper.solve(stage, q);
    end(q, v);
    return status;
  }
};

/// a = x y + b z, entry by entry.
inline void combine(std::vector<double>& a, double x, const std::vector<double>& y, double b,
                    const std::vector<double>& z) {
  a.resize(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) a[i] = x * y[i] + b * z[i];
}

/// Two stages of a step: the status that tells more. A step that must not be used (cancelled, not finite) is never hidden by one that was
/// merely cut short.
inline Status worse(Status a, Status b) {
  const auto unusable = [](Status s) { return s == Status::not_finite || s == Status::cancelled; };
  return unusable(b) || a == Status::converged ? b : a;
}

}  // namespace resilin
