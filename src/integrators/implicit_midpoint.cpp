// Implicit midpoint: one stage with tau = h/2 for y = (x_n + x_{n+1})/2, then extrapolation x_{n+1} = 2 y - x_n,
// v_{n+1} = 2 (y - x_n)/tau - v_n. Second order, symplectic: keeps quadratic invariants, but far less stable in
// stiff, large deformation than backward Euler (Liu et al. section 6).
#include "resilin/integrator.h"

namespace resilin {

IntegratorPlugin integrator_implicit_midpoint() {
  return recipe_integrator(
      "Implicit midpoint rule: second order, keeps energy. Less stable than the others: use small steps.", 2,
      [](double h) -> StepRecipe {
        return {{{0.5, h / 2, {1, StageArray::x_n}, {1, StageArray::v_n}}},
                {2, StageArray::x_stage, -1, StageArray::x_n},
                {2, StageArray::v_stage, -1, StageArray::v_n}};
      });
}

}  // namespace resilin
