// BDF2: one stage with tau = 2h/3, origin (4 x_n - x_{n-1})/3, v^p = (4 v_n - v_{n-1})/3. Second order, L-stable.
// It needs the state before; a first step, and one whose step size, state or model was changed, is one of TR-BDF2,
// which is second order and L-stable too.
#include "integrators/tr_bdf2_step.h"

namespace resilin {
namespace {

class Bdf2 final : public Integrator {
 public:
  int order() const override { return 2; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    const Memory& memory = now.history;
    const std::uint64_t stamp = stepper.revision().function_at(h);
    const auto *q = memory.find("bdf2.q", stamp), *v = memory.find("bdf2.v", stamp),
               *q_before = memory.find("bdf2.q_before", stamp), *v_before = memory.find("bdf2.v_before", stamp);
    const bool applies =
        q != nullptr && v != nullptr && q_before != nullptr && v_before != nullptr && *q == now.q && *v == now.v;
    Status status;
    if (applies) {
      combine(stage_.stage.origin, 4.0 / 3, now.q, -1.0 / 3, *q_before);
      combine(stage_.velocity_start, 4.0 / 3, now.v, -1.0 / 3, *v_before);
      stage_.stage.begin_at(now.time, now.q);
      status = stage_.solve(now.time + h, 2 * h / 3, now.v, stepper, next.q, next.v);
      stepper.prescribe(now.time + h, next.q, next.v);
    } else {
      status = start_.step(now, next, h, stepper);
    }
    next.history.keep("bdf2.q_before", stamp) = now.q, next.history.keep("bdf2.v_before", stamp) = now.v;
    next.history.keep("bdf2.q", stamp) = next.q, next.history.keep("bdf2.v", stamp) = next.v;
    return status;
  }

 private:
  ImplicitStage stage_;
  TrBdf2Step start_;
};

}  // namespace

IntegratorPlugin integrator_bdf2() {
  return {"BDF2: second order, L-stable. One solve per step.", {}, [](const Settings&) {
            return std::make_unique<Bdf2>();
          }};
}

}  // namespace resilin
