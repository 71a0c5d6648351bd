// Trapezoidal rule: one stage with tau = h/2, origin x_n + tau v_n, v^p = v_n + tau a_n. Second order, keeps the
// energy of linear systems exactly; not L-stable: what is stiff rings forever, and so does what a solver left undone,
// since a_n is recovered from the step before (Eq. 37): its stages want a small tolerance.
#include "integrators/force_history.h"
#include "integrators/implicit_stage.h"

namespace resilin {
namespace {

class Trapezoidal final : public Integrator {
 public:
  int order() const override { return 2; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    const double tau = h / 2;
    stepper.external(now.time, external_);
    const std::vector<double>& a = history_.start(now, h, stepper, external_);
    combine(stage_.stage.origin, 1, now.q, tau, now.v);
    combine(stage_.velocity_start, 1, now.v, tau, a);
    stage_.stage.begin_at(now.time, now.q);
    const Status status = stage_.solve(now.time + h, tau, now.v, stepper, next.q, next.v);
    history_.keep(stage_.stage, stage_.velocity_start, stage_.external, next);
    stepper.prescribe(now.time + h, next.q, next.v);
    history_.commit(next, h, stepper);
    return status;
  }

 private:
  ImplicitStage stage_;
  ForceHistory history_;
  std::vector<double> external_;
};

}  // namespace

IntegratorPlugin integrator_trapezoidal() {
  return {"Trapezoidal rule: second order, keeps energy. Stiff bodies keep vibrating.", {}, [](const Settings&) {
            return std::make_unique<Trapezoidal>();
          }};
}

}  // namespace resilin
