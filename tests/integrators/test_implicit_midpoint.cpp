#include <gtest/gtest.h>

#include <cmath>

#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(ImplicitMidpoint, FreeFallIsExact) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {});
  model.gravity = {0, -9.81, 0};
  const auto rest = model.rest;
  const auto simulation =
      published_simulation(std::move(model), 0.01, "quasi_newton",
                           {{"gradient_tolerance", 1e-12}, {"iterations", 50}}, "implicit_midpoint");
  for (int n = 1; n <= 20; ++n) {
    simulation->step();
    const double t = 0.01 * n;
    EXPECT_NEAR(simulation->state().q[1] - rest[1], -9.81 * t * t / 2, 1e-12);
  }
}

}  // namespace
}  // namespace resilin::test
