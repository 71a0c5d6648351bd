#include <gtest/gtest.h>

#include "integrators/oscillator.h"

namespace resilin::test {
namespace {

TEST(Bdf2, FollowsItsRecurrence) {
  const double w = 3, h = 0.1, tau = 2 * h / 3;
  auto simulation = oscillator("bdf2", w, h);
  const auto first = after(*simulation, 1), second = after(*simulation, 1);
  const double origin = (4 * first[0] - 1) / 3, start = 4 * first[1] / 3;  // x_0 = 1, v_0 = 0
  const double x = (origin + tau * start) / (1 + tau * tau * w * w);
  EXPECT_NEAR(second[0], x, 1e-13);
  EXPECT_NEAR(second[1], (x - origin) / tau, 1e-12);
}

TEST(Bdf2, AnEditedStateStartsAnew) {
  auto edited = oscillator("bdf2", 3, 0.1), fresh = oscillator("bdf2", 3, 0.1);
  after(*edited, 7);
  State state = edited->state();
  state.q = fresh->state().q, state.v = fresh->state().v;
  edited->set_state(state);
  const auto a = after(*edited, 3), b = after(*fresh, 3);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_EQ(a[1], b[1]);
}

}  // namespace
}  // namespace resilin::test
