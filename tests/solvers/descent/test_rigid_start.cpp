#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "contact/obstacles/obstacle_potential.h"
#include "resilin/ledger.h"
#include "resilin/registry.h"
#include "solvers/descent/rigid_start.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

Model block(bool ground) {
  Model model = solid(beam_mesh(2), 1000, "neo_hookean", {{"young", 1e6}});
  model.gravity = {0, -9.81, 0};
  if (!ground) return model;
  std::vector<int> all(static_cast<std::size_t>(model.vertex_count()));
  std::iota(all.begin(), all.end(), 0);
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  const Values low = {{"height", -0.52}};
  model.terms.push_back(
      {"ground", Elements::points(all), {make_obstacle_potential(plane.make(plane.params.read(Value(low))), 1e5)}});
  return model;
}

// It falls at 3 m/s and turns.
std::vector<double> falling(const Model& model) {
  std::vector<double> v(model.rest.size());
  for (std::size_t i = 0; i < v.size(); i += 3) v[i] = 4 * model.rest[i + 1], v[i + 1] = -3 - 4 * model.rest[i];
  return v;
}

TEST(RigidStart, IsNeverWorseThanNotMovingAndDeformsNothing) {
  for (const bool ground : {false, true}) {
    Model model = block(ground);
    const auto q = model.rest, v = falling(model);
    OneStage stage(std::move(model), q, v, 1.0 / 30);
    RigidStart rigid;
    std::vector<double> start;
    rigid.find(stage.problem(), stage.stage().guess, start);
    EXPECT_LE(stage.value(start), stage.value(q));
    EXPECT_NEAR(stage.value(start), rigid.bound(0), 1e-9 * stage.value(q)) << "elastic energy is zero there";
    // Moved a little farther in any rigid way it is not better.
    for (int k = 0; k < 3; ++k)
      for (const double step : {-1e-4, 1e-4}) {
        auto other = start;
        for (std::size_t i = 0; i < other.size(); i += 3) other[i + k] += step;
        EXPECT_GE(stage.value(other), stage.value(start));
      }
    if (ground) {
      EXPECT_LT(stage.value(start), stage.value(stage.stage().guess)) << "free flight goes through the ground";
    }
  }
}

// With any number of iterations: no energy is made, and no step ends above not moving.
TEST(EnergyGuard, StagesThatAreCutShortMakeNoEnergy) {
  for (const int iterations : {1, 2, 3, 5}) {
    Model model = block(true);
    const auto v = falling(model);
    const auto simulation =
        make_simulation(std::move(model), {.solver = {"quasi_newton", {{"iterations", iterations}}}});
    State state = simulation->state();
    state.v = v;
    simulation->set_state(std::move(state));
    Ledger ledger(*simulation);
    double stored = 0, made = 0;
    for (int step = 0; step < 20; ++step) {
      simulation->step();
      const LedgerEntry& entry = ledger.entries().back();
      stored = std::max(stored, entry.kinetic + entry.elastic);
      made += std::max(0.0, -entry.numerical_loss);
    }
    EXPECT_LE(made, 1e-6 * stored) << iterations;
  }
}

TEST(StopRule, TheErrorIsTheSameAtEveryScale) {
  std::vector<int> iterations;
  for (const double scale : {1.0, 0.01}) {  // lengths and gravity by s, stiffness by s^2: the same motion, smaller
    TetMesh mesh = beam_mesh(2);
    for (double& x : mesh.vertices) x *= scale;
    Model model = solid(mesh, 1000, "neo_hookean", {{"young", 1e5 * scale * scale}});
    model.gravity = {0, -9.81 * scale, 0};
    pin(model, mesh.vertex_groups.at("x_min"));
    const auto simulation = make_simulation(std::move(model), {});
    int sum = 0;
    for (int step = 0; step < 10; ++step) {
      const StepReport report = simulation->step();
      EXPECT_EQ(report.status, Status::converged);
      EXPECT_LE(report.solve.error, 0.25);
      sum += report.solve.iterations;
    }
    iterations.push_back(sum);
  }
  EXPECT_NEAR(iterations[1], iterations[0], 0.05 * iterations[0] + 1);
}

}  // namespace
}  // namespace resilin::test
