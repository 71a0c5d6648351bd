#include <gtest/gtest.h>

#include <cmath>

#include "potentials/pin.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// What a hand holds stands outside of the terms, and in the energy, its gradient and its Hessian like everything
// else.
TEST(Problem, AHandCountsInTheGradientAndTheHessian) {
  Model model = solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e3}});
  const auto q = model.rest, mass = model.mass;
  const std::vector<double> target = {0.3, 0.2, -0.1, -1, 0.5, 0.25};
  model.listed.push_back({"hand", Elements::points(std::array{3, 7}), {make_pin(4e5, target, {})}});
  const double tau = 0.05;
  OneStage stage(std::move(model), q, tau);
  DynamicSystem& system = stage.system();
  std::vector<double> y = q, g(q.size()), up(q.size()), down(q.size());
  system.potential_energy(y.data(), g.data());
  EXPECT_NEAR(g[9], 4e5 * (q[9] - 0.3), 1e-6) << "the beam itself is at rest";
  SymmetricMatrix h = system.problem().linearise(system.space().rest().data()).pattern();
  system.problem().linearise(y.data()).assemble(h, false);
  for (const std::size_t i : {9u, 10u, 11u, 22u, 30u}) {
    const double step = 1e-6, kept = y[i];
    y[i] = kept + step;
    const double plus = system.potential_energy(y.data(), up.data());
    y[i] = kept - step;
    const double minus = system.potential_energy(y.data(), down.data());
    y[i] = kept;
    EXPECT_NEAR((plus - minus) / (2 * step), g[i], 1e-6 * 4e5);
    std::vector<double> unit(q.size(), 0.0), column(q.size());
    unit[i] = 1;
    h.multiply(unit.data(), column.data());
    column[i] -= mass[i / 3] / (tau * tau);
    for (std::size_t j = 0; j < y.size(); ++j) EXPECT_NEAR((up[j] - down[j]) / (2 * step), column[j], 1e-6 * 4e5);
  }
}

}  // namespace
}  // namespace resilin::test
