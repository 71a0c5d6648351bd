// Linearly implicit Euler (Baraff and Witkin 1998): backward Euler with forces linearised at x_n, that is one
// Newton step from x_n and nothing else. First order; cheap, but neither a minimum of the objective nor stable for
// every nonlinear force.
#include "integrators/implicit_stage.h"

namespace resilin {
namespace {

class LinearlyImplicitEuler final : public Integrator {
 public:
  int order() const override { return 1; }
  bool minimises() const override { return false; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    euler_.stage.origin = now.q;
    euler_.velocity_start = now.v;
    euler_.stage.begin_at(now.time, now.q);
    euler_.begin(now.time + h, h, now.v, stepper);
    euler_.stage.guess = now.q;  // where it is linearised
    const Status status = stepper.linear_solve(euler_.stage, next.q);
    euler_.end(next.q, next.v);
    stepper.prescribe(now.time + h, next.q, next.v);
    return status;
  }

 private:
  ImplicitStage euler_;
};

}  // namespace

IntegratorPlugin integrator_linearly_implicit_euler() {
  return {
      "Linearly implicit Euler (Baraff and Witkin 1998): one linear solve per step. It does not use the solver of "
      "the scene.",
      {},
      [](const Settings&) { return std::make_unique<LinearlyImplicitEuler>(); }};
}

}  // namespace resilin
