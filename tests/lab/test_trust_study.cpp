#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lab/trust_scenes.h"
#include "lab/trust_study.h"

namespace resilin::lab {
namespace {

Scene cube(const std::string& more = R"("pins": [{"select": "y_max"}])") {
  return parse_scene(R"({"name": "cube", "step": 0.02, "bodies": [{"shape": {"type": "box", "cells": [2, 2, 2]},
                         "material": {"type": "neo_hookean", "young": 1e5}}], )" +
                         more + "}",
                     "cube.json");
}

TrustRun converged(const Scene& scene, double perturbation = 0) {
  return trust_run(with_solver(scene, reference_solver()), {.frames = 5, .perturbation = perturbation});
}

TEST(TrustStudy, ARunHasNoErrorAgainstItself) {
  const TrustRun a = converged(cube()), b = converged(cube());
  ASSERT_EQ(a.positions.size(), 5u);
  EXPECT_EQ(trajectory_error(a, b), 0);
  EXPECT_EQ(a.unconverged(), 0);
  EXPECT_EQ(a.statuses.size(), 5u);
  EXPECT_GT(a.elastic, 0);
  EXPECT_GT(a.evaluations, a.iterations);
  EXPECT_LT(a.extent[0], -0.5);  // it hangs down
  EXPECT_NEAR(a.extent[1], 0.5, 1e-12);
}

TEST(TrustStudy, TheErrorIsTheDistanceOverSize) {
  const TrustRun a = converged(cube());
  TrustRun moved = a;
  for (double& x : moved.positions[3]) x += 0.01;
  EXPECT_NEAR(trajectory_error(moved, a), 0.01 * std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(part_distance(moved, a, {2, 3, 2}), 0.01 * std::sqrt(3.0), 1e-12);
  moved.positions.pop_back();
  EXPECT_TRUE(std::isinf(trajectory_error(moved, a)));
}

TEST(TrustStudy, APerturbedStartStaysNear) {
  const double error = trajectory_error(converged(cube(), 1e-6), converged(cube()));
  EXPECT_GT(error, 0);
  EXPECT_LT(error, 1e-5);
}

TEST(TrustStudy, ConvergedBackwardEulerMakesNoEnergyAndIsNeverWorse) {
  const TrustRun run = converged(cube());
  EXPECT_LE(run.made, 1e-9 * run.elastic);
  EXPECT_EQ(run.worse, 0);
}

// The trapezoidal rule is second order and bounds nothing: a stretched cube gains in some steps.
TEST(TrustStudy, MadeEnergyIsSeen) {
  const Scene scene = cube(R"("integrator": "trapezoidal", "gravity": 0)");
  Scene stretched = scene;
  apply_override(stretched.source, {"bodies[0].initial", R"({"stretch": [1.5, 1, 1]})"});
  EXPECT_GT(converged(stretched).made, 0);
  EXPECT_EQ(converged(scene).made, 0);  // at rest
}

TEST(TrustStudy, WorseThanNotMovingIsSeen) {
  const Scene scene = with_solver(cube(), reference_solver());
  const auto simulation = build_simulation(scene, 1);
  const State before = simulation->state();
  simulation->step();
  std::vector<double> y = simulation->state().q;
  DynamicSystem& system = simulation->system();
  EXPECT_FALSE(worse_than_not_moving(system, before, scene.step, y));
  EXPECT_FALSE(worse_than_not_moving(system, before, scene.step, before.q));
  y[0] += 0.2;
  EXPECT_TRUE(worse_than_not_moving(system, before, scene.step, y));
  y[0] = NAN;
  EXPECT_TRUE(worse_than_not_moving(system, before, scene.step, y));
}

// A free body that is translated by d beside the minimum: Phi - Phi* = m |d|^2 / (2 h^2), the error |d| / (h^2
// size).
TEST(TrustStudy, TheTrueErrorIsAnAcceleration) {
  const Scene scene = with_solver(cube(R"("frames": 1)"), reference_solver());
  const auto simulation = build_simulation(scene, 1);
  const State before = simulation->state();
  simulation->step();
  std::vector<double> y = simulation->state().q;
  StageSolver newton = stage_solver(reference_solver());
  EXPECT_NEAR(true_error(simulation->system(), before, scene.step, y, newton), 0, 1e-3);
  for (std::size_t i = 0; i < y.size(); i += 3) y[i] += 1e-3;
  EXPECT_NEAR(true_error(simulation->system(), before, scene.step, y, newton),
              1e-3 / (scene.step * scene.step * std::sqrt(3.0)), 1e-3);
}

TEST(TrustStudy, ComparisonsAndSettings) {
  const TrustComparison c = compare_to_converged(cube(), default_solver({{"iterations", 100}}), 3, 0.01);
  EXPECT_LT(c.error, 0.01);
  EXPECT_TRUE(std::isnan(c.spread));
  EXPECT_FALSE(c.buckles());
  EXPECT_LT(c.elastic_error(), 0.03);
  EXPECT_LT(c.height_error(), 0.01);
  EXPECT_NE(default_solver({{"iterations", 7}}).find("\"iterations\":7"), std::string::npos);
  EXPECT_EQ(stage_solver(default_solver({{"iterations", 7}})).stop.iterations, 7);
  EXPECT_NE(reference_solver(newton_limit).find("newton"), std::string::npos);
  EXPECT_NE(reference_solver(newton_limit + 1).find("quasi_newton"), std::string::npos);
}

TEST(TrustStudy, ScenesOfTheExperiments) {
  const TrustRun beam = trust_run(tilted_beam({.length = 0.01}), {.frames = 2});
  EXPECT_EQ(beam.vertices(), 13 * 4 * 4);
  EXPECT_NEAR(beam.size, 0.01 * (std::cos(std::numbers::pi / 9) + 0.25 * std::sin(std::numbers::pi / 9)), 1e-12);
  EXPECT_TRUE(trust_run(jelly_cube(), {.frames = 1}).finite);
  EXPECT_TRUE(moves_pins(load_scene("twisting_bar")));
  EXPECT_FALSE(moves_pins(load_scene("cantilever")));
}

}  // namespace
}  // namespace resilin::lab
