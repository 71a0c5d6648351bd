// TR-BDF2 (Bank et al. 1985; Brown et al. 4.3): a trapezoidal stage to t + gamma h, then BDF2 on t, t + gamma h, t
// + h. Second order and L-stable; keeps energy and angular momentum far better than backward Euler at the same cost
// (E27, E28). gamma = 2 - sqrt 2 makes the tau of both stages equal, so one factorisation serves both, and has the
// least error constant (X16); other values are for study.
#include "integrators/tr_bdf2.h"

#include <cmath>

namespace resilin {

// Brown et al. Eqs. 35 and 36 (with X14, X15).
StepRecipe tr_bdf2_recipe(double h, double gamma) {
  const double one = gamma / 2;
  double two = (1 - gamma) / (2 - gamma);
  if (std::abs(one - two) < 1e-15) two = one;  // equal to the last bit, so that the factor is found again
  const double tau = one * h, scale = 1 / (gamma * (2 - gamma)), back = -(1 - gamma) * (1 - gamma) * scale;
  return {{{gamma, tau, {1, StageArray::x_n, tau, StageArray::v_n}, {1, StageArray::v_n, tau, StageArray::a_n}},
           {1,
            two * h,
            {back, StageArray::x_n, scale, StageArray::x_stage},
            {back, StageArray::v_n, scale, StageArray::v_stage}}}};
}

namespace {

class TrBdf2 final : public StagedIntegrator {
 public:
  explicit TrBdf2(double gamma) : gamma_(gamma) {}
  int order() const override { return 2; }
  StepRecipe recipe(double h) const override { return tr_bdf2_recipe(h, gamma_); }

 private:
  double gamma_;
};

}  // namespace

IntegratorPlugin integrator_tr_bdf2() {
  return {"TR-BDF2: second order, L-stable, keeps energy well. Two solves per step with one factorisation.",
          {number("gamma", "", tr_bdf2_best_gamma, {0, 1, true, true},
                  "length of the first stage over the step; the default is 2 - sqrt 2")},
          [](const Settings& s) { return std::make_unique<TrBdf2>(s.number("gamma")); }};
}

}  // namespace resilin
