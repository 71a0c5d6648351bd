// The classical Runge-Kutta method of fourth order: explicit, for references on smooth problems with small steps.
#include <array>

#include "resilin/integrator.h"

namespace resilin {
namespace {

class RungeKutta4 final : public Integrator {
 public:
  int order() const override { return 4; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    const std::size_t n = now.q.size();
    static constexpr std::array<double, 4> at = {0, 0.5, 0.5, 1}, weight = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    next.q = now.q, next.v = now.v;
    velocity_.assign(n, 0.0), acceleration_.assign(n, 0.0);
    q_.resize(n), v_.resize(n);
    for (int k = 0; k < 4; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        q_[i] = now.q[i] + at[k] * h * velocity_[i];
        v_[i] = now.v[i] + at[k] * h * acceleration_[i];
      }
      const double time = now.time + at[k] * h;
      stepper.prescribe(time, q_, v_);
      stepper.external(time, external_);
      stepper.acceleration(time, q_, v_, acceleration_);
      velocity_ = v_;
      for (std::size_t i = 0; i < n; ++i) {
        acceleration_[i] += external_[i];
        next.q[i] += weight[k] * h * velocity_[i];
        next.v[i] += weight[k] * h * acceleration_[i];
      }
    }
    stepper.prescribe(now.time + h, next.q, next.v);
    return Status::converged;
  }

 private:
  std::vector<double> q_, v_, velocity_, acceleration_, external_;
};

}  // namespace

IntegratorPlugin integrator_runge_kutta4() {
  return {"Runge-Kutta method: explicit, fourth order. For references with small steps.", {}, [](const Settings&) {
            return std::make_unique<RungeKutta4>();
          }};
}

}  // namespace resilin
