#include <gtest/gtest.h>

#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(BackwardEuler, FreeFallIsExactForTheScheme) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {});
  model.gravity = {0, -9.81, 0};
  const auto rest = model.rest;
  const double h = 0.01;
  const auto simulation = published_simulation(std::move(model), h, "quasi_newton",
                                               {{"gradient_tolerance", 1e-12}, {"iterations", 50}});
  for (int n = 1; n <= 20; ++n) {
    simulation->step();
    EXPECT_NEAR(simulation->state().q[1] - rest[1], -9.81 * h * h * n * (n + 1) / 2, 1e-12);
  }
}

}  // namespace
}  // namespace resilin::test
