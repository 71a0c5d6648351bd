// Backward Euler: one stage with tau = h, origin x_n, target = x_n + h v_n + h^2 M^-1 f_ext(t + h). First order, L-stable,
// loses energy and angular momentum (oracles, Part 0 item 3).
#include "resilin/integrator.h"

namespace resilin {
namespace {

class BackwardEuler final : public Integrator {
 public:
  int order() const override { return 1; }

  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    const std::size_t n = now.q.size();
    stage_.time = now.time + h;
    stage_.tau = h;
    stage_.origin = now.q;
    stage_.velocity = now.v;
    stage_.target.resize(n);
    stepper.external(stage_.time, external_);
    for (std::size_t i = 0; i < n; ++i) stage_.target[i] = now.q[i] + h * (now.v[i] + h * external_[i]);
    stage_.guess = stage_.target;
    const Status status = stepper.solve(stage_, next.q);
    for (std::size_t i = 0; i < n; ++i) next.v[i] = (next.q[i] - now.q[i]) / h;
    stepper.prescribe(stage_.time, next.q, next.v);
    return status;
  }

 private:
  Stage stage_;
  std::vector<double> external_;
};

}  // namespace

IntegratorPlugin integrator_backward_euler() {
  return {"Backward Euler: first order, very stable, damps.", {}, [](const Settings&) { return std::make_unique<BackwardEuler>(); }};
}

}  // namespace resilin
