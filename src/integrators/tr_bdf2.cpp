// TR-BDF2 (Bank et al. 1985; Brown et al. 4.3): a trapezoidal stage to t + gamma h, then BDF2 on t, t + gamma h, t
// + h. Second order and L-stable; keeps energy and angular momentum far better than backward Euler at the same cost
// (E27, E28). gamma = 2 - sqrt 2 makes the tau of both stages equal, so one factorisation serves both, and has the
// least error constant (X16); other values are for study.
#include "integrators/tr_bdf2_step.h"

namespace resilin {
namespace {

class TrBdf2 final : public Integrator {
 public:
  explicit TrBdf2(double gamma) : step_(gamma) {}
  int order() const override { return 2; }
  int stages() const override { return 2; }
  Status step(const State& now, State& next, double h, Stepper& stepper) override {
    const Status status = step_.step(now, next, h, stepper);
    step_.remember(next, h, stepper);
    return status;
  }

 private:
  TrBdf2Step step_;
};

}  // namespace

IntegratorPlugin integrator_tr_bdf2() {
  return {"TR-BDF2: second order, L-stable, keeps energy well. Two solves per step with one factorisation.",
          {number("gamma", "", TrBdf2Step::best_gamma, {0, 1, true, true},
                  "length of the first stage over the step; the default is 2 - sqrt 2")},
          [](const Settings& s) { return std::make_unique<TrBdf2>(s.number("gamma")); }};
}

}  // namespace resilin
