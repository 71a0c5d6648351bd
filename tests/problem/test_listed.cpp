// Terms whose elements change: obstacles by lists of vertices that are near, and contact, whose elements solvers
// must be told of.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "core/stamp.h"
#include "potentials/spring.h"
#include "resilin/registry.h"
#include "setup/sampling.h"
#include "simulation/solve_stage.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

Model above_ground(double height, int threads_of_vertices = 3) {
  Model model = solid(beam_mesh(threads_of_vertices), 1000, "neo_hookean", {});
  for (std::size_t i = 1; i < model.rest.size(); i += 3) model.rest[i] += height;
  model.terms[0].elements = Elements::tets(model.rest, model.bodies[0].tets);
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  std::vector<int> ids(static_cast<std::size_t>(model.vertex_count()));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int>(i);
  model.terms.push_back(
      {"ground", Elements::points(ids), {make_obstacle_potential(plane.make(plane.params.defaults()), 1e4)}});
  return model;
}

// k/2 min(0, y)^2 of every vertex, without any list.
double ground_energy(const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 1; i < y.size(); i += 3) sum += 0.5 * 1e4 * std::pow(std::min(0.0, y[i]), 2);
  return sum;
}

// Far away, near, through it in one leap, back again, and turned over: whatever was listed before.
TEST(Listed, AnObstacleCountsWhereverVerticesLeap) {
  Model model = above_ground(5);
  Model alone = model;
  alone.terms.pop_back();
  const std::vector<double> rest = model.rest;
  OneStage stage(std::move(model), rest, 0.02, 2);
  OneStage free(std::move(alone), rest, 0.02, 1);
  Random random(5);
  std::vector<double> g(rest.size()), g_free(rest.size());
  for (const double drop : {0.0, 4.9, 5.2, 9.0, 0.0, 5.01, 5.0, 5.3, 1e6, 5.2}) {
    std::vector<double> y = rest;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.01 * random.normal() - (i % 3 == 1 ? drop : 0);
    const Evaluation with = stage.system().problem().evaluate(y.data(), g.data());
    const Evaluation without = free.system().problem().evaluate(y.data(), g_free.data());
    const double expected = ground_energy(y);
    EXPECT_NEAR(with.potential() - without.potential(), expected, 1e-12 * (without.potential() + expected)) << drop;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double force = i % 3 == 1 ? 1e4 * std::min(0.0, y[i]) : 0;
      ASSERT_NEAR(g[i] - g_free[i], force, 1e-9 * (std::abs(g_free[i]) + std::abs(force) + 1)) << drop << " " << i;
    }
    const std::vector<PointStiffness>& points = stage.problem().linearise(y.data()).points();
    std::size_t touching = 0;
    for (std::size_t i = 1; i < y.size(); i += 3) touching += y[i] < 0;
    EXPECT_EQ(points.size(), touching) << drop;
  }
}

// A resumed run lists other vertices than one that came along: it must not show.
TEST(Listed, BitsDoNotDependOnWhatWasListedBefore) {
  const Model model = above_ground(0);
  std::vector<double> y = model.rest;
  for (std::size_t i = 1; i < y.size(); i += 3) y[i] -= 0.07;
  const auto value = [&](bool wander, int threads) {
    OneStage stage(above_ground(0), model.rest, 0.02, threads);
    std::vector<double> other = y, g(y.size());
    for (std::size_t i = 1; wander && i < y.size(); i += 3) other[i] -= 0.5;
    stage.system().problem().evaluate(other.data(), g.data());
    g.push_back(stage.system().problem().evaluate(y.data(), g.data()).value());
    return g;
  };
  const auto first = value(false, 1);
  EXPECT_EQ(first, value(true, 1));
  EXPECT_EQ(first, value(true, 2));
}

}  // namespace
}  // namespace resilin::test
