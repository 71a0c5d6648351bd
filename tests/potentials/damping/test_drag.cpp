#include "potentials/damping/damping_checks.h"
#include "resilin/scene.h"

namespace resilin::test {
namespace {

TEST(Drag, KeepsThePromisesOfDamping) {
  check_all({.type = "drag", .params = {{"coefficient", 2.0}}});
  check_all({.type = "drag", .params = {{"coefficient", 2.0}, {"power", 2.0}}});
  check_all({.type = "drag", .params = {{"coefficient", 2.0}, {"power", 0.0}, {"smoothing", 0.1}}});
}

// E33 with p = 1: v_n = v_0 / (1 + c h/m)^n for backward Euler.
TEST(Drag, SlowsAFreeParticleLikeTheScheme) {
  Model model;
  model.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0});
  model.mass = {0.5, 0.5};
  model.gravity = {0, 0, 0};
  const std::vector<int> edge = {0, 1};
  model.terms.push_back({"none", Elements::springs(edge), {}});
  add_damping(model, 0, "drag", {{"coefficient", 2.0}});
  const auto simulation =
      published_simulation(std::move(model), 0.01, "newton", {{"gradient_tolerance", 1e-12}, {"iterations", 20}});
  State state = simulation->state();
  for (std::size_t i = 0; i < 6; i += 3) state.v[i] = 3;
  simulation->set_state(state);
  for (int i = 0; i < 10; ++i) simulation->step();
  EXPECT_NEAR(simulation->state().v[0], 3 / std::pow(1 + 2 * 0.01 / 0.5, 10), 1e-12);
}

// p = 0 without smoothing: admm's local step is the shrink of X20. The body stops and stays, up to what its
// single-precision factor leaves.
TEST(Drag, DryDragStopsAndDoesNotCreep) {
  const auto simulation = build_simulation(
      parse_scene(R"({"bodies": [{"shape": {"type": "box", "cells": [1, 1, 1]}, "initial": {"velocity": [1, 0, 0]},
        "damping": {"type": "drag", "coefficient": 2, "power": 0, "smoothing": 0}}], "gravity": 0, "step": 0.05,
        "solver": {"type": "admm", "iterations": 200, "gradient_tolerance": 1e-13}})",
                  "test"),
      1);
  const auto speed = [&] {
    double most = 0;
    for (const double v : simulation->state().v) most = std::max(most, std::abs(v));
    return most;
  };
  int steps = 0;
  while (speed() > 1e-6 && ++steps < 4000) ASSERT_NE(simulation->step().status, Status::not_finite);
  ASSERT_LT(steps, 4000) << speed();
  const std::vector<double> stopped = simulation->state().q;
  for (int i = 0; i < 50; ++i) simulation->step();
  for (std::size_t k = 0; k < stopped.size(); ++k) EXPECT_NEAR(simulation->state().q[k], stopped[k], 1e-7);
}

}  // namespace
}  // namespace resilin::test
