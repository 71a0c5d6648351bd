#include <gtest/gtest.h>

#include "integrators/oscillator.h"

namespace resilin::test {
namespace {

TEST(SymplecticEuler, KeepsItsModifiedEnergy) {
  const double w = 3, h = 0.1;
  auto simulation = oscillator("symplectic_euler", w, h);
  // Its invariant: v^2 + w^2 x^2 - h w^2 x v.
  const auto invariant = [&](double x, double v) { return v * v + w * w * x * x - h * w * w * x * v; };
  const auto [x, v] = after(*simulation, 1000);
  EXPECT_NEAR(invariant(x, v), w * w, 1e-11 * w * w);
}

}  // namespace
}  // namespace resilin::test
