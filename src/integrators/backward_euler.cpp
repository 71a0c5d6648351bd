// Backward Euler: one stage with tau = h, origin x_n, target = x_n + h v_n + h^2 M^-1 f_ext(t + h). First order,
// L-stable, loses energy and angular momentum (E82).
#include "resilin/integrator.h"

namespace resilin {

IntegratorPlugin integrator_backward_euler() {
  return recipe_integrator("Backward Euler: first order, very stable. It damps motion.", 1,
                           [](double h) -> StepRecipe {
                             return {{{1, h, {1, StageArray::x_n}, {1, StageArray::v_n}}}};
                           });
}

}  // namespace resilin
