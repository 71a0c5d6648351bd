// Trapezoidal rule: one stage with tau = h/2, origin x_n + tau v_n, v^p = v_n + tau a_n. Second order, keeps the
// energy of linear systems exactly; not L-stable: what is stiff rings forever, and so does what a solver left
// undone, since a_n is recovered from the step before (Eq. 37): its stages want a small tolerance.
#include "resilin/integrator.h"

namespace resilin {
namespace {

class Trapezoidal final : public StagedIntegrator {
 public:
  int order() const override { return 2; }
  StepRecipe recipe(double h) const override {
    const double tau = h / 2;
    return {{{1, tau, {1, StageArray::x_n, tau, StageArray::v_n}, {1, StageArray::v_n, tau, StageArray::a_n}}}};
  }
};

}  // namespace

IntegratorPlugin integrator_trapezoidal() {
  return {"Trapezoidal rule: second order, keeps energy. Stiff bodies keep vibrating.", {}, [](const Settings&) {
            return std::make_unique<Trapezoidal>();
          }};
}

}  // namespace resilin
