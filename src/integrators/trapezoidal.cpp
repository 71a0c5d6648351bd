// Trapezoidal rule: one stage with tau = h/2, origin x_n + tau v_n, v^p = v_n + tau a_n. Second order, keeps the
// energy of linear systems exactly; not L-stable: what is stiff rings forever, and so does what a solver left
// undone, since a_n is recovered from the step before (Eq. 37): its stages want a small tolerance.
#include "resilin/integrator.h"

namespace resilin {

IntegratorPlugin integrator_trapezoidal() {
  return recipe_integrator(
      "Trapezoidal rule: second order, keeps energy. Stiff bodies keep vibrating.", 2, [](double h) -> StepRecipe {
        const double tau = h / 2;
        return {{{1, tau, {1, StageArray::x_n, tau, StageArray::v_n}, {1, StageArray::v_n, tau, StageArray::a_n}}}};
      });
}

}  // namespace resilin
