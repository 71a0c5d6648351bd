// BDF2: one stage with tau = 2h/3, origin (4 x_n - x_{n-1})/3, v^p = (4 v_n - v_{n-1})/3. Second order, L-stable.
// It needs the state before; a first step, and one whose step size, state or model was changed, is one of TR-BDF2,
// which is second order and L-stable too.
#include "integrators/tr_bdf2.h"

namespace resilin {
namespace {

class Bdf2 final : public StagedIntegrator {
 public:
  int order() const override { return 2; }
  StepRecipe recipe(double h) const override {
    return {{{1,
              2 * h / 3,
              {-1.0 / 3, StageArray::x_before, 4.0 / 3, StageArray::x_n},
              {-1.0 / 3, StageArray::v_before, 4.0 / 3, StageArray::v_n}}}};
  }
  StepRecipe starting_recipe(double h) const override { return tr_bdf2_recipe(h); }
};

}  // namespace

IntegratorPlugin integrator_bdf2() {
  return {"BDF2: second order, L-stable. One solve per step.", {}, [](const Settings&) {
            return std::make_unique<Bdf2>();
          }};
}

}  // namespace resilin
