// Half spaces against tunnelling: vertices whose flight leads through a thin obstacle are stopped by an energy, and
// put back where a solver has let them through.
#include <gtest/gtest.h>

#include <numeric>

#include "contact/obstacle_of.h"
#include "contact/obstacles/obstacle_potential.h"
#include "problem/dynamic_system.h"

namespace resilin::test {
namespace {

// Particles above a plate of 0.02 m, one of which flies beside it; and a stage of free flight downwards.
struct Falling {
  Model model;
  ThreadPool pool{1};
  std::unique_ptr<DynamicSystem> system;
  Stage stage;

  Falling() {
    std::vector<double> x;
    for (int i = 0; i < 10; ++i) x.insert(x.end(), {i == 9 ? 3 : 0.1 * i, 0.5, 0.05 * i});
    model.add_vertices(x);
    std::fill(model.mass.begin(), model.mass.end(), 0.5);
    std::vector<int> ids(10);
    std::iota(ids.begin(), ids.end(), 0);
    model.terms.push_back(
        {"plate",
         Elements::points(ids),
         {make_obstacle_potential(obstacle_of("box", {{"size", Value::List{2, 0.02, 2}}}), 1e4)}});
    system = std::make_unique<DynamicSystem>(model, pool);
    stage.time = stage.tau = 0.01;
    stage.origin = stage.guess = x, stage.target = x;
    for (std::size_t i = 1; i < x.size(); i += 3) stage.target[i] = -0.5;
    stage.velocity.assign(x.size(), 0.0);
    system->begin(stage);
    system->begin_guards(stage);
  }
};

// The half space takes a vertex that has passed it with a force, the obstacle has none there.
TEST(TunnelGuards, PushVerticesBackThatAreBehindAPlate) {
  Falling scene;
  std::vector<double> g(30);
  scene.system->problem().evaluate(scene.stage.target.data(), g.data());
  for (std::size_t v = 0; v < 10; ++v) EXPECT_EQ(g[3 * v + 1] < -1, v < 9) << v;  // at the target inertia has none
  scene.system->problem().evaluate(scene.stage.origin.data(), g.data());
  for (std::size_t v = 0; v < 10; ++v) EXPECT_NEAR(g[3 * v + 1], 0.5 / 1e-4, 1e-6) << v;
}

TEST(TunnelGuards, PutVerticesBackThatHavePassedWhenTheStageEnds) {
  Falling scene;
  std::vector<double> y = scene.stage.target;
  for (std::size_t i = 0; i < y.size(); i += 3) y[i] += 0.03;  // they have slid meanwhile
  Memory memory;
  scene.system->end(scene.stage, y, memory);
  for (std::size_t v = 0; v < 10; ++v) {
    EXPECT_NEAR(y[3 * v], scene.stage.target[3 * v] + 0.03, 1e-9) << v;
    EXPECT_NEAR(y[3 * v + 1], v < 9 ? 0.01 : -0.5, 1e-4) << v;
  }
  std::vector<double> above = scene.stage.origin;
  for (std::size_t i = 1; i < above.size(); i += 3) above[i] = 0.02;
  const std::vector<double> before = above;
  scene.system->end(scene.stage, above, memory);
  EXPECT_EQ(above, before) << "vertices that have not passed stay";
}

}  // namespace
}  // namespace resilin::test
