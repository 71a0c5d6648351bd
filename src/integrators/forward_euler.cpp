// Forward Euler: x_{n+1} = x_n + h v_n, v_{n+1} = v_n + h a(x_n, v_n). First order and explicit; it gains energy in
// every oscillation. For reference only.
#include "resilin/integrator.h"

namespace resilin {
namespace {

class ForwardEuler final : public Integrator {
 public:
  int order() const override { return 1; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    stepper.external(now.time, external_);
    stepper.acceleration(now.time, now.q, now.v, internal_);
    for (std::size_t i = 0; i < now.q.size(); ++i) {
      next.q[i] = now.q[i] + h * now.v[i];
      next.v[i] = now.v[i] + h * (internal_[i] + external_[i]);
    }
    stepper.prescribe(now.time + h, next.q, next.v);
    return Status::converged;
  }

 private:
  std::vector<double> external_, internal_;
};

}  // namespace

IntegratorPlugin integrator_forward_euler() {
  return {"Forward Euler: explicit, first order. It gains energy; for comparisons only.", {}, [](const Settings&) {
            return std::make_unique<ForwardEuler>();
          }};
}

}  // namespace resilin
