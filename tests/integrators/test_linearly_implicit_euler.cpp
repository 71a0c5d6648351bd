#include <gtest/gtest.h>

#include "integrators/oscillator.h"

namespace resilin::test {
namespace {

TEST(LinearlyImplicitEuler, IsBackwardEulerWhereForcesAreLinear) {
  const auto linear = after(*oscillator("linearly_implicit_euler", 3, 0.1), 20),
             full = after(*oscillator("backward_euler", 3, 0.1), 20);
  EXPECT_NEAR(linear[0], full[0], 1e-12);
  EXPECT_NEAR(linear[1], full[1], 1e-11);
}

TEST(LinearlyImplicitEuler, LinearisesOncePerStep) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  model.gravity = {0, -9.81, 0};
  pin(model, {0, 1, 2, 3});
  const auto simulation = published_simulation(std::move(model), 0.01, "newton", {}, "linearly_implicit_euler");
  for (int i = 0; i < 5; ++i) {
    const StepReport report = simulation->step();
    EXPECT_EQ(report.solve.factorisations, 1);
    EXPECT_EQ(report.solve.evaluations, 1);
  }
}

}  // namespace
}  // namespace resilin::test
