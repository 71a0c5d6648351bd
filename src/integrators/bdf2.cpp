// BDF2: one stage with tau = 2h/3, origin (4 x_n - x_{n-1})/3, v^p = (4 v_n - v_{n-1})/3. Second order, L-stable.
// It needs the state before; a first step, and one whose step size, state or model was changed, is one of TR-BDF2,
// which is second order and L-stable too.
#include "integrators/tr_bdf2.h"

namespace resilin {

IntegratorPlugin integrator_bdf2() {
  return recipe_integrator(
      "BDF2: second order, L-stable. One solve per step.", 2,
      [](double h) -> StepRecipe {
        return {{{1,
                  2 * h / 3,
                  {-1.0 / 3, StageArray::x_before, 4.0 / 3, StageArray::x_n},
                  {-1.0 / 3, StageArray::v_before, 4.0 / 3, StageArray::v_n}}}};
      },
      [](double h) { return tr_bdf2_recipe(h); });
}

}  // namespace resilin
