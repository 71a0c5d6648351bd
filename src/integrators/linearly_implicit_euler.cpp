// Linearly implicit Euler (Baraff and Witkin 1998): backward Euler with forces linearised at x_n, that is one
// Newton step from x_n and nothing else. First order; cheap, but neither a minimum of the objective nor stable for
// every nonlinear force.
#include "resilin/integrator.h"

namespace resilin {
namespace {

class LinearlyImplicitEuler final : public StagedIntegrator {
 public:
  int order() const override { return 1; }
  StepRecipe recipe(double h) const override {
    return {{{1, h, {1, StageArray::x_n}, {1, StageArray::v_n}, true}}};
  }
};

}  // namespace

IntegratorPlugin integrator_linearly_implicit_euler() {
  return {
      "Linearly implicit Euler (Baraff and Witkin 1998): one linear solve per step. It does not use the solver of "
      "the scene.",
      {},
      [](const Settings&) { return std::make_unique<LinearlyImplicitEuler>(); }};
}

}  // namespace resilin
