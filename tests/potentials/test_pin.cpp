#include <gtest/gtest.h>

#include "potentials/pin.h"
#include "problem/dynamic_system.h"

namespace resilin {
namespace {

// At whatever time it is asked, forwards and backwards: k/2 times the square of the way to where the target is
// then.
TEST(Pin, FollowsItsMotion) {
  MotionStep up;
  up.direction = {0, 1, 0};
  up.amount.keyframes = {{0, 0}, {1, 2}, {3, -4}};
  Model model;
  model.add_vertices(std::array{1.0, 0.0, 0.5});
  model.mass = {1};
  model.terms.push_back(
      {"pin", Elements::points(std::array{0}), {make_pin(300, std::array{1.0, 0.0, 0.5}, Motion({up}))}});
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  for (const double time : {0.0, 0.25, 0.5, 1.0, 2.0, 0.25, 0.0}) {
    system.set_time(time);
    const double y = up.amount.at(time);
    std::vector<double> q = {1, y, 0.5}, g(3);
    EXPECT_EQ(system.potential_energy(q.data(), g.data()), 0) << time;
    q[0] += 0.1, q[1] += 0.2;
    EXPECT_NEAR(system.potential_energy(q.data(), g.data()), 150 * 0.05, 1e-9) << time;
    EXPECT_NEAR(g[0], 30, 1e-9) << time;
    EXPECT_NEAR(g[1], 60, 1e-9) << time;
  }
}

}  // namespace
}  // namespace resilin
