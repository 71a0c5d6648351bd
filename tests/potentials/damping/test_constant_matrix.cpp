#include <gtest/gtest.h>

#include <algorithm>

#include "potentials/damping/damping.h"
#include "resilin/registry.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// S is tau R((z - z_n)/tau): its second derivative is that of R over the step, so that the constant Hessian is too
// soft or too stiff with anything else.
TEST(Damping, StandsInTheConstantMatrixByItsViscosityOverTheStep) {
  int models = 0;
  for (const auto& entry : registry<DampingPlugin>()) {
    if (entry.plugin.damps == Damps::springs) continue;
    Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
    add_damping(model, 0, entry.name);
    for (const Term& term : model.terms)
      for (const auto& damping : term.damping) {
        double slow[9] = {}, fast[9] = {};
        damping->quadratic(0, 1, slow), damping->quadratic(0, 0.02, fast);
        const int count = term.elements.rows() * term.elements.rows();
        for (int i = 0; i < count; ++i) EXPECT_NEAR(fast[i], 50 * slow[i], 1e-12 * std::abs(fast[i])) << entry.name;
        models += std::any_of(slow, slow + count, [](double q) { return q != 0; });
      }
  }
  EXPECT_GE(models, 3) << "that stand in it at all";
}

}  // namespace
}  // namespace resilin::test
