// Every integrator has the order it claims, measured on a stretched spring pendulum, and keeps pins where they
// belong.
#include <gtest/gtest.h>

#include <cmath>

#include "resilin/registry.h"
#include "setup/springs.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// A mass on a spring whose other end is pinned, under gravity: smooth and nonlinear.
std::vector<double> pendulum(const std::string& integrator, int steps) {
  Model model = spring_model({.at = {{0, 0, 0}, {1, 0, 0}},
                              .mass = {1, 2},
                              .edges = {{0, 1}},
                              .stiffness = {60},
                              .length = {1},
                              .pinned = {0}});
  model.gravity = {0, -9.81, 0};
  const double end = 0.5;
  const auto simulation = published_simulation(std::move(model), end / steps, "newton",
                                               {{"iterations", 60}, {"gradient_tolerance", 1e-13}}, integrator);
  for (int i = 0; i < steps; ++i) simulation->step();
  return simulation->state().q;
}

double gap(const std::vector<double>& a, const std::vector<double>& b) {
  return std::hypot(a[3] - b[3], a[4] - b[4], a[5] - b[5]);
}

TEST(IntegratorContract, OrderIsWhatItClaims) {
  for (const auto& entry : registry<IntegratorPlugin>()) {
    const int order = entry.plugin.make(entry.plugin.params.defaults())->order();
    const auto coarse = pendulum(entry.name, 100), middle = pendulum(entry.name, 200),
               fine = pendulum(entry.name, 400);
    const double slope = std::log2(gap(coarse, middle) / gap(middle, fine));
    EXPECT_NEAR(slope, order, 0.15) << entry.name;
  }
}

TEST(IntegratorContract, PinsFollowTheirMotionExactly) {
  for (const auto& entry : registry<IntegratorPlugin>()) {
    Model model = solid(beam_mesh(1), 1000, "corotated", {});
    MotionStep step;
    step.direction = {0, 0.3, 0};
    step.amount = {.constant = 0, .amplitude = 1, .frequency = 2, .phase = 0, .keyframes = {}};
    const std::vector<int> ids = {0, 5, 7};
    const Motion motion({step});
    pin(model, ids, motion);
    const auto rest = model.rest;
    const auto simulation = published_simulation(std::move(model), 0.01, "quasi_newton", {}, entry.name);
    for (int i = 0; i < 10; ++i) simulation->step();
    for (const int v : ids) {
      double x[3], velocity[3];
      motion.at(simulation->state().time, &rest[3 * v], x, velocity);
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(simulation->state().q[3 * v + k], x[k]) << entry.name;
        EXPECT_EQ(simulation->state().v[3 * v + k], velocity[k]) << entry.name;
      }
    }
  }
}

}  // namespace
}  // namespace resilin::test
