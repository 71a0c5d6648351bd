// Backward Euler: one stage with tau = h, origin x_n, target = x_n + h v_n + h^2 M^-1 f_ext(t + h). First order, L-stable,
// loses energy and angular momentum (E82).
#include "integrators/implicit_stage.h"

namespace resilin {
namespace {

class BackwardEuler final : public Integrator {
 public:
  int order() const override { return 1; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    euler_.stage.origin = now.q;
    euler_.velocity_start = now.v;
    euler_.stage.begin_at(now.time, now.q);
    const Status status = euler_.solve(now.time + h, h, now.v, stepper, next.q, next.v);
    stepper.prescribe(now.time + h, next.q, next.v);
    return status;
  }

 private:
  ImplicitStage euler_;
};

}  // namespace

IntegratorPlugin integrator_backward_euler() {
  return {"Backward Euler: first order, very stable. It damps motion.", {}, [](const Settings&) {
            return std::make_unique<BackwardEuler>();
          }};
}

}  // namespace resilin
