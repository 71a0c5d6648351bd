// Implicit midpoint: one stage with tau = h/2 for y = (x_n + x_{n+1})/2, then extrapolation x_{n+1} = 2 y - x_n,
// v_{n+1} = 2 (y - x_n)/tau - v_n. Second order, symplectic: keeps quadratic invariants, but far less stable in stiff, large
// deformation than backward Euler (Liu et al. section 6).
#include "resilin/integrator.h"

namespace resilin {
namespace {

class ImplicitMidpoint final : public Integrator {
 public:
  int order() const override { return 2; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    const std::size_t n = now.q.size();
    const double tau = h / 2;
    stage_.time = now.time + tau;
    stage_.tau = tau;
    stage_.origin = now.q;
    stage_.velocity = now.v;
    stage_.begin_at(now.time, now.q);
    stage_.target.resize(n);
    stepper.external(stage_.time, external_);
    for (std::size_t i = 0; i < n; ++i) stage_.target[i] = now.q[i] + tau * (now.v[i] + tau * external_[i]);
    stage_.guess = stage_.target;
    const Status status = stepper.solve(stage_, middle_);
    for (std::size_t i = 0; i < n; ++i) {
      next.q[i] = 2 * middle_[i] - now.q[i];
      next.v[i] = 2 * (middle_[i] - now.q[i]) / tau - now.v[i];
    }
    stepper.prescribe(now.time + h, next.q, next.v);
    return status;
  }

 private:
  Stage stage_;
  std::vector<double> external_, middle_;
};

}  // namespace

IntegratorPlugin integrator_implicit_midpoint() {
  return {"Implicit midpoint rule: second order, keeps energy. Less stable than the others: use small steps.",
          {},
          [](const Settings&) { return std::make_unique<ImplicitMidpoint>(); }};
}

}  // namespace resilin
