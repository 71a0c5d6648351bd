#include <gtest/gtest.h>

#include "integrators/oscillator.h"

namespace resilin::test {
namespace {

// Also where the velocity before the last is not zero, as it is at the start.
TEST(Bdf2, FollowsItsRecurrenceFromMovingStates) {
  const double w = 3, h = 0.1, tau = 2 * h / 3;
  auto simulation = oscillator("bdf2", w, h);
  auto before = after(*simulation, 1), now = after(*simulation, 1);
  for (int i = 0; i < 5; ++i) {
    const double origin = (4 * now[0] - before[0]) / 3, start = (4 * now[1] - before[1]) / 3;
    const double x = (origin + tau * start) / (1 + tau * tau * w * w);
    before = now, now = after(*simulation, 1);
    EXPECT_NEAR(now[0], x, 1e-13) << i;
    EXPECT_NEAR(now[1], (x - origin) / tau, 1e-12) << i;
  }
}

}  // namespace
}  // namespace resilin::test
