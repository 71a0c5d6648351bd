// Symplectic Euler: v_{n+1} = v_n + h a(x_n, v_n), x_{n+1} = x_n + h v_{n+1}. First order and explicit; its energy
// stays bounded while h w < 2 for every frequency w.
#include "resilin/integrator.h"

namespace resilin {
namespace {

class SymplecticEuler final : public Integrator {
 public:
  int order() const override { return 1; }

  // External forces are those of the end of the step, as with backward Euler: free fall is then the same.
  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    stepper.external(now.time + h, external_);
    stepper.acceleration(now.time, now.q, now.v, internal_);
    for (std::size_t i = 0; i < now.q.size(); ++i) {
      next.v[i] = now.v[i] + h * (internal_[i] + external_[i]);
      next.q[i] = now.q[i] + h * next.v[i];
    }
    stepper.prescribe(now.time + h, next.q, next.v);
    return Status::converged;
  }

 private:
  std::vector<double> external_, internal_;
};

}  // namespace

IntegratorPlugin integrator_symplectic_euler() {
  return {"Symplectic Euler: explicit, first order. Its energy stays bounded for small steps.",
          {},
          [](const Settings&) { return std::make_unique<SymplecticEuler>(); }};
}

}  // namespace resilin
