// What is kept from stage to stage, and what must not be: columns and neighbours belong to one factor. And the mean
// steps of bodies that something holds.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/precondition/mean_step.h"
#include "solvers/precondition/obstacle_level.h"
#include "solvers/precondition/point_hessian.h"
#include "solvers/precondition/pressed.h"

namespace resilin {
namespace {

struct Level {
  Factor factor{InnerSolve("cholesky")};
  ObstacleLevel level{factor};

  std::vector<double> applied(Problem& problem, const std::vector<double>& y, const std::vector<double>& r) {
    factor.prepare(problem);
    level.begin(problem);
    EXPECT_TRUE(level.update(y.data(), false));
    std::vector<double> d(r.size());
    level.apply(r.data(), d.data());
    return d;
  }
};

TEST(ObstacleLevel, ForgetsWhatBelongsToAnotherFactor) {
  BoxOnGround slow(1.0 / 60), fast(1.0 / 600);
  const std::vector<double> y = slow.lifted(-0.002), r = random_load(y.size(), 2);
  Level used;
  for (int round = 0; round < 3; ++round)
    for (BoxOnGround* scene : {&slow, &fast}) {
      Level fresh;
      EXPECT_LT(relative_gap(used.applied(scene->problem(), y, r), fresh.applied(scene->problem(), y, r)), 1e-9);
    }
}

// On a plane without friction nothing holds a body along it: its mean step is the exact one.
TEST(ObstacleLevel, KeepsTheMomentumAlongAPlane) {
  BoxOnGround scene(1.0 / 60);
  const std::vector<double> y = scene.lifted(-0.002), r = random_load(y.size(), 4);
  const std::vector<double> d = Level().applied(scene.problem(), y, r);
  const auto mass = scene.problem().space().vertex_mass();
  const double tau = scene.problem().stage().tau;
  for (const std::size_t k : {0, 2}) {
    double moved = 0, pushed = 0, size = 0;
    for (std::size_t v = 0; v < mass.size(); ++v)
      moved += mass[v] * d[3 * v + k], pushed += r[3 * v + k], size += std::abs(mass[v] * d[3 * v + k]);
    EXPECT_NEAR(moved, tau * tau * pushed, 1e-9 * size);
  }
}

// H d = r, whatever holds the body.
TEST(PointHessian, SolvesOnAndAboveTheGround) {
  for (const double height : {0.05, -0.002}) {
    BoxOnGround scene(1.0 / 60);
    const std::vector<double> y = scene.lifted(height), r = random_load(y.size(), 6);
    PointHessian hessian{InnerSolve("cholesky")};
    ASSERT_TRUE(hessian.factorise(scene.problem(), y.data(), false));
    std::vector<double> d(r.size()), back(r.size());
    hessian.solve(scene.problem(), r.data(), d.data());
    scene.problem().linearise(y.data()).multiply(d.data(), back.data());
    EXPECT_LT(relative_gap(back, r), 1e-8) << height;
  }
}

// Bodies that touch are one island: one of them that is held holds all.
TEST(FreeIslands, HaveNoComponentThatSomethingHolds) {
  const auto simulation = pressed_boxes();
  const Space& space = simulation->system().space();
  const auto all = static_cast<std::size_t>(space.vertices());
  ASSERT_EQ(space.components().island(1), 0);
  const auto islands = free_islands(space, std::vector<char>{0, 0});
  ASSERT_EQ(islands.size(), 1u);
  EXPECT_EQ(islands[0].size(), all);
  EXPECT_TRUE(free_islands(space, std::vector<char>{1, 0}).empty());
  EXPECT_TRUE(free_islands(space, std::vector<char>{0, 1}).empty());
  EXPECT_TRUE(free_islands(space, std::vector<char>{1, 1}).empty());
}

}  // namespace
}  // namespace resilin
