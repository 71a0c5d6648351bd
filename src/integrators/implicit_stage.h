// What implicit integrators do alike: a stage with target = origin + tau v^p + tau^2 M^-1 f_ext, after which the
// velocity is (y - origin)/tau (Brown et al. Eq. 31).
#pragma once
#include "resilin/integrator.h"

namespace resilin {

struct ImplicitStage {
  Stage stage;
  std::vector<double> velocity_start, external;  // v^p; M^-1 f_ext at the stage's time

  /// origin and velocity_start are set by the caller; `velocity` is that of the step's start.
  Status solve(double time, double tau, const std::vector<double>& velocity, Stepper& stepper,
               std::vector<double>& q, std::vector<double>& v) {
    const std::size_t n = stage.origin.size();
    stage.time = time;
    stage.tau = tau;
    stage.velocity = velocity;
    stepper.external(time, external);
    stage.target.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      stage.target[i] = stage.origin[i] + tau * (velocity_start[i] + tau * external[i]);
    stage.guess = stage.target;
    const Status status = stepper.solve(stage, q);
    v.resize(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = (q[i] - stage.origin[i]) / tau;
    return status;
  }
};

/// a = x y + b z, entry by entry.
inline void combine(std::vector<double>& a, double x, const std::vector<double>& y, double b,
                    const std::vector<double>& z) {
  a.resize(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) a[i] = x * y[i] + b * z[i];
}

/// Two stages of a step: the one that is worse.
inline Status worse(Status a, Status b) { return a == Status::converged ? b : a; }

}  // namespace resilin
