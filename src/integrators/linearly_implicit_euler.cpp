// Linearly implicit Euler (Baraff and Witkin 1998): backward Euler with forces linearised at x_n, that is one
// Newton step from x_n and nothing else. First order; cheap, but neither a minimum of the objective nor stable for
// every nonlinear force.
#include "resilin/integrator.h"

namespace resilin {

IntegratorPlugin integrator_linearly_implicit_euler() {
  return recipe_integrator(
      "Linearly implicit Euler (Baraff and Witkin 1998): one linear solve per step. It does not use the solver of "
      "the scene.",
      1, [](double h) -> StepRecipe {
        return {{{1, h, {1, StageArray::x_n}, {1, StageArray::v_n}, true}}};
      });
}

}  // namespace resilin
