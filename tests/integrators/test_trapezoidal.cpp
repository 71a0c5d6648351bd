#include <gtest/gtest.h>

#include "integrators/oscillator.h"

namespace resilin::test {
namespace {

TEST(Trapezoidal, KeepsTheEnergyOfALinearOscillator) {
  const double w = 3;
  const auto [x, v] = after(*oscillator("trapezoidal", w, 0.1), 500);
  EXPECT_NEAR(v * v + w * w * x * x, w * w, 1e-10 * w * w);
}

}  // namespace
}  // namespace resilin::test
