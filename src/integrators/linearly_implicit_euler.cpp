// Linearly implicit Euler (Baraff and Witkin 1998): backward Euler with forces linearised at x_n, that is one
// Newton step from x_n and nothing else. First order; cheap, but neither a minimum of the objective nor stable for
// every nonlinear force.
#include "resilin/integrator.h"

namespace resilin {
namespace {

class LinearlyImplicitEuler final : public Integrator {
 public:
  int order() const override { return 1; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    const std::size_t n = now.q.size();
    stage_.time = now.time + h;
    stage_.tau = h;
    stage_.origin = stage_.guess = now.q;
    stage_.velocity = now.v;
    stepper.external(stage_.time, external_);
    stage_.target.resize(n);
    for (std::size_t i = 0; i < n; ++i) stage_.target[i] = now.q[i] + h * (now.v[i] + h * external_[i]);
    const Status status = stepper.linear_solve(stage_, next.q);
    for (std::size_t i = 0; i < n; ++i) next.v[i] = (next.q[i] - now.q[i]) / h;
    stepper.prescribe(stage_.time, next.q, next.v);
    return status;
  }

 private:
  Stage stage_;
  std::vector<double> external_;
};

}  // namespace

IntegratorPlugin integrator_linearly_implicit_euler() {
  return {"Linearly implicit Euler: one linearisation per step, no iteration; the scene's solver is not asked.",
          {},
          [](const Settings&) { return std::make_unique<LinearlyImplicitEuler>(); }};
}

}  // namespace resilin
