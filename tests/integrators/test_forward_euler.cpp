#include <gtest/gtest.h>

#include "integrators/oscillator.h"

namespace resilin::test {
namespace {

TEST(ForwardEuler, IsTheSchemeAndGainsEnergy) {
  const double w = 3, h = 0.1;
  const auto [x, v] = after(*oscillator("forward_euler", w, h), 2);
  EXPECT_NEAR(x, 1 - h * h * w * w, 1e-14);  // x_1 = 1, v_1 = -h w^2, x_2 = x_1 + h v_1
  EXPECT_NEAR(v, -2 * h * w * w, 1e-14);
  EXPECT_GT(w * w * x * x + v * v, w * w);
}

}  // namespace
}  // namespace resilin::test
