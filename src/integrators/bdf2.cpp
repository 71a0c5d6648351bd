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
    const bool applies = memory.h == h && memory.revision == stepper.revision() &&
                         kept(memory, "bdf2.q") == now.q && kept(memory, "bdf2.v") == now.v;
    Status status;
    if (applies) {
      combine(stage_.stage.origin, 4.0 / 3, now.q, -1.0 / 3, kept(memory, "bdf2.q_before"));
      combine(stage_.velocity_start, 4.0 / 3, now.v, -1.0 / 3, kept(memory, "bdf2.v_before"));
      status = stage_.solve(now.time + h, 2 * h / 3, now.v, stepper, next.q, next.v);
      stepper.prescribe(now.time + h, next.q, next.v);
    } else {
      status = start_.step(now, next, h, stepper);
    }
    next.history.h = h;
    next.history.revision = stepper.revision();
    auto& arrays = next.history.arrays;
    arrays["bdf2.q_before"] = now.q, arrays["bdf2.v_before"] = now.v;
    arrays["bdf2.q"] = next.q, arrays["bdf2.v"] = next.v;
    return status;
  }

 private:
  const std::vector<double>& kept(const Memory& memory, const char* name) const {
    const auto at = memory.arrays.find(name);
    return at == memory.arrays.end() ? none_ : at->second;
  }

  ImplicitStage stage_;
  TrBdf2Step start_;
  std::vector<double> none_;
};

}  // namespace

IntegratorPlugin integrator_bdf2() {
  return {"BDF2: second order, L-stable, one solve per step.", {}, [](const Settings&) {
            return std::make_unique<Bdf2>();
          }};
}

}  // namespace resilin
