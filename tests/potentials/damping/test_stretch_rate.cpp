#include "potentials/damping/damping_checks.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/scene.h"

namespace resilin::test {
namespace {

TEST(StretchRate, KeepsThePromisesOfDamping) {
  check_all({.type = "stretch_rate", .params = {{"viscosity", 3.0}}, .conserves = true});
  check_all({.type = "stretch_rate", .params = {{"viscosity", 3.0}, {"power", 2.0}}, .conserves = true});
}

// A stretch without rotation: S' = F'.
TEST(StretchRate, HasItsClosedFormAlongAnAxis) {
  DampingProbe probe("stretch_rate", {{"viscosity", 3.0}});
  const double z[9] = {1.2, 0, 0, 0, 1, 0, 0, 0, 0.9}, stretch[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0},
               spin[9] = {0, 1, 0, -1.2, 0, 0, 0, 0, 0};  // z W, W skew
  EXPECT_NEAR(probe.rate(z, stretch, nullptr, nullptr), 1.5 * 4, 1e-14);
  const double turning[9] = {0, 1.2, 0, -1, 0, 0, 0, 0, 0};
  EXPECT_NEAR(probe.rate(z, turning, nullptr, nullptr), 0, 1e-28);
  EXPECT_GT(probe.rate(z, spin, nullptr, nullptr), 1e-3);
}

std::unique_ptr<Simulation> clay(const std::string& damping, const std::string& solver) {
  return build_simulation(
      parse_scene(R"({"bodies": [{"shape": {"type": "box", "cells": [2, 1, 1]},
    "material": {"type": "corotated", "young": 1e4, "poisson": 0.3}, "initial": {"stretch": [1.4, 1, 1]},
    "damping": {"type": "stretch_rate", "viscosity": 500, "power": 0, "power_scale": 1000)" +
                      damping + R"(}}], "gravity": [0, 0, 0], "step": 0.02, "solver": {"type": ")" + solver +
                      R"(", "iterations": 300, "gradient_tolerance": 1e-12}})",
                  "test"),
      1);
}

// Exactly dry: it stands still in a deformed shape, where smoothing would let it creep.
TEST(StretchRate, WithoutSmoothingItStandsStillDeformed) {
  const auto simulation = clay(R"(, "separate": true, "smoothing": 0)", "admm");
  const double first = simulation->energy().elastic;
  for (int i = 0; i < 60; ++i) ASSERT_NE(simulation->step().status, Status::not_finite);
  double speed = 0;
  for (const double v : simulation->state().v) speed = std::max(speed, std::abs(v));
  EXPECT_LT(speed, 1e-9);
  EXPECT_GT(simulation->energy().elastic, 1e-3 * first);
  EXPECT_LT(simulation->energy().elastic, first);
}

TEST(StretchRate, AJumpingForceIsRefusedWhereNothingCanTakeIt) {
  EXPECT_THROW(clay(R"(, "smoothing": 0)", "admm"), InputError);
  for (const char* solver : {"newton", "quasi_newton"})
    EXPECT_THROW(clay(R"(, "separate": true, "smoothing": 0)", solver), InputError) << solver;
}

}  // namespace
}  // namespace resilin::test
