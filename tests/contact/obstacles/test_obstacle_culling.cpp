// Vertices that are far from obstacles are left out, and none that has come near.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "contact/obstacle_of.h"
#include "contact/obstacles/obstacle_culling.h"
#include "contact/obstacles/obstacle_potential.h"

namespace resilin::test {
namespace {

std::shared_ptr<const Potential> ground(double height) {
  return make_obstacle_potential(obstacle_of("plane", {{"height", height}}), 1e4);
}

// Points on a grid from 0 to 2 m above the ground.
struct Cloud {
  std::vector<double> x;
  Term term;
  ThreadPool pool{1};

  explicit Cloud(std::vector<std::shared_ptr<const Potential>> potentials) {
    std::vector<int> ids;
    for (int i = 0; i < 100; ++i)
      x.insert(x.end(), {0.1 * (i % 10), 0.001 + 0.02 * i, 0.1 * (i / 10)}), ids.push_back(i);
    term = {"ground", Elements::points(ids), std::move(potentials)};
  }
  // Every point that touches is listed.
  void expect_touching_listed(const ObstacleCulling& culling, double height) const {
    for (int i = 0; i < 100; ++i)
      if (x[3 * static_cast<std::size_t>(i) + 1] < height) {
        EXPECT_TRUE(std::binary_search(culling.listed().begin(), culling.listed().end(), i)) << i;
      }
  }
};

TEST(ObstacleCulling, PointsThatComeNearInSmallStepsAreListed) {
  Cloud cloud({ground(0)});
  ObstacleCulling culling(0.05);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> down(0, 0.02);
  int listed = 0;
  for (int step = 0; step < 120; ++step) {
    for (std::size_t i = 1; i < cloud.x.size(); i += 3) cloud.x[i] -= down(random);
    listed += culling.ensure_listed(cloud.term, 0, cloud.x.data(), cloud.pool) ? 1 : 0;
    cloud.expect_touching_listed(culling, 0);
  }
  EXPECT_GT(listed, 5);
  EXPECT_LT(listed, 100) << "a list serves several questions";
}

TEST(ObstacleCulling, TheNearestOfSeveralObstaclesCounts) {
  for (const bool near_first : {true, false}) {
    Cloud cloud(near_first ? std::vector{ground(0.5), ground(-3)} : std::vector{ground(-3), ground(0.5)});
    ObstacleCulling culling(0.05);
    EXPECT_TRUE(culling.ensure_listed(cloud.term, 0, cloud.x.data(), cloud.pool));
    cloud.expect_touching_listed(culling, 0.5);
    EXPECT_LT(culling.listed().size(), 50u);
  }
}

}  // namespace
}  // namespace resilin::test
