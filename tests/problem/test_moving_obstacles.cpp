// Obstacles that move: whoever they reach is listed in time, and every solver meets them where they are.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacle_of.h"
#include "contact/obstacles/obstacle_potential.h"
#include "problem/dynamic_system.h"

namespace resilin::test {
namespace {

Motion along_x(double speed) {
  MotionStep step{MotionStep::Kind::translate, {1, 0, 0}, {}, {}};
  step.amount.keyframes = {{0, 0}, {100, 100 * speed}};
  return Motion({step});
}

// A row of vertices along x, a metre apart; a ball of half a metre that comes along it, also back and in leaps.
TEST(MovingObstacles, ReachVerticesThatStand) {
  Model model;
  std::vector<double> x;
  std::vector<int> ids;
  for (int i = 0; i < 40; ++i) x.insert(x.end(), {static_cast<double>(i), 0.2, 0}), ids.push_back(i);
  model.add_vertices(x);
  std::fill(model.mass.begin(), model.mass.end(), 1.0);
  model.terms.push_back(
      {"ball", Elements::points(ids), {make_obstacle_potential(obstacle_of("sphere"), 100, along_x(1))}});
  ThreadPool pool(2);
  DynamicSystem system(model, pool);
  std::vector<double> force(x.size());
  for (const double time : {0.0, 0.1, 0.9, 7.0, 7.1, 30.2, 3.05, 0.0, 200.0}) {
    system.set_time(time);
    const double at = std::min(time, 100.0), nearest = std::round(std::min(at, 39.0));
    const double depth = std::max(0.0, 0.5 - std::hypot(at - nearest, 0.2));
    EXPECT_NEAR(system.potential_energy(x.data(), force.data()), 50 * depth * depth, 1e-9) << time;
    for (std::size_t v = 0; v < 40; ++v)
      EXPECT_EQ(force[3 * v + 1]<0, depth> 0 && static_cast<double>(v) == nearest) << time << " " << v;
  }
}

// What stands is not asked again: the list is that of the plain obstacle.
TEST(MovingObstacles, AStandingOneIsWhereItWasPlaced) {
  MotionStep up{MotionStep::Kind::translate, {0, 2, 0}, {}, {}};
  const auto potential = make_obstacle_potential(obstacle_of("sphere", {{"radius", 1}}), 1, Motion({up}));
  EXPECT_FALSE(potential->moves());
  const double x[6] = {0, 0, 0, 0, 2.5, 0};
  double room[2];
  potential->clearance(5, x, room);
  EXPECT_DOUBLE_EQ(room[0], 1);
  EXPECT_EQ(room[1], 0);
}

}  // namespace
}  // namespace resilin::test
