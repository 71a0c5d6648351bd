#include <gtest/gtest.h>

#include "integrators/oscillator.h"

namespace resilin::test {
namespace {

TEST(RungeKutta4, IsTheTaylorPolynomialOfTheOscillator) {
  const double w = 3, h = 0.1, a = w * h;
  const auto [x, v] = after(*oscillator("runge_kutta4", w, h), 1);
  EXPECT_NEAR(x, 1 - a * a / 2 + a * a * a * a / 24, 1e-14);
  EXPECT_NEAR(v, w * (-a + a * a * a / 6), 1e-14);
}

}  // namespace
}  // namespace resilin::test
