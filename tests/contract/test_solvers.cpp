// Every registered solver that minimises reaches Newton's minimiser on every term it supports; the others come down
// from the start. What a solver does not support it says.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "potentials/material.h"
#include "potentials/pin.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

struct Case {
  std::string name;
  Model model;
  std::vector<double> q;
};

Case solid_case(const std::string& material) {
  Model model = solid(beam_mesh(1), 1000, material, {});
  auto q = twisted(model.rest, 50);
  Random random(7);
  for (double& x : q) x += 0.01 * random.normal();
  return {material, std::move(model), std::move(q)};
}

Case cloth_case() {
  const Cloth cloth = grid_cloth({.nx = 6, .ny = 6, .size_x = 1, .size_y = 1, .center = {0, 0, 0}});
  Builder builder;
  builder.add(Springs{.mesh = cloth.springs, .stiffness = 50, .mass = 0.01});
  builder.pin({.vertices = {0}});
  Model model = std::move(builder).model();
  auto q = model.rest;
  for (std::size_t i = 0; i < q.size(); i += 3) q[i + 2] += 0.1 * std::sin(3 * q[i]), q[i] *= 1.2;
  for (int k = 0; k < 3; ++k) q[k] = model.rest[k];
  return {"springs", std::move(model), std::move(q)};
}

Case pin_case() {
  Case c = solid_case("arap");
  const std::vector<int> ids = {0, 1, 2};
  std::vector<double> start(c.model.rest.begin(), c.model.rest.begin() + 9);
  c.model.terms.push_back({"pins", Elements::points(ids), {make_pin(1e4, start, Motion{})}});
  return {"soft_pins", std::move(c.model), std::move(c.q)};
}

Case plane_case() {
  Case c = solid_case("corotated");
  std::vector<int> all(c.model.vertex_count());
  for (int i = 0; i < c.model.vertex_count(); ++i) all[i] = i;
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  c.model.terms.push_back(
      {"ground", Elements::points(all), {make_obstacle_potential(plane.make(plane.params.defaults()), 2e4)}});
  return {"plane", std::move(c.model), std::move(c.q)};
}

// The beam lies on a large ball that rises: a curved obstacle, met at the time of the stage.
Case ball_case() {
  Case c = solid_case("corotated");
  std::vector<int> all(c.model.vertex_count());
  for (int i = 0; i < c.model.vertex_count(); ++i) all[i] = i;
  const auto& sphere = plugin<ObstaclePlugin>("obstacle", "sphere", "test");
  MotionStep down{MotionStep::Kind::translate, {0, -1, 0}, {}, {}};
  down.amount.keyframes = {{0, 2.6}, {0.02, 2.3}};
  const auto ball = sphere.make(sphere.params.read(Value(Value::Object{{"radius", 2}})));
  c.model.terms.push_back({"ball", Elements::points(all), {make_obstacle_potential(ball, 2e4, Motion({down}))}});
  return {"ball", std::move(c.model), std::move(c.q)};
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const auto& entry : registry<MaterialPlugin>()) {
    if (entry.name == "spline") {
      Case c = solid_case("neo_hookean");
      Model model = solid(beam_mesh(1), 1000, "spline", {{"preset", "B"}});
      out.push_back({"spline", std::move(model), c.q});
    } else {
      out.push_back(solid_case(entry.name));
    }
  }
  out.push_back(cloth_case());
  out.push_back(pin_case());
  out.push_back(plane_case());
  out.push_back(ball_case());
  return out;
}

TEST(SolverContract, EverySolverReachesNewtonsMinimiser) {
  for (const auto& entry : registry<SolverPlugin>()) {
    int supported = 0;
    for (Case& c : cases()) {
      SCOPED_TRACE(entry.name + " on " + c.name);
      OneStage stage(std::move(c.model), c.q, 0.02);
      const auto solver = make_solver(entry.name);
      try {
        solver->check(stage.problem());
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("use "), std::string::npos)
            << "must say what to use instead: " << error.what();
        continue;
      }
      ++supported;
      std::vector<double> reference, y;
      const double minimum = stage.minimum(reference, 1e-10);
      if (!entry.plugin.minimises) {
        EXPECT_NE(stage.solve(*solver, {.iterations = 300, .tolerance = 0}, y).status, Status::not_finite);
        // PBD knows no stiffness: it lowers the energy and not the objective.
        const std::vector<double>& guess = stage.stage().guess;
        EXPECT_LE(stage.system().potential_energy(y.data(), nullptr),
                  1.01 * stage.system().potential_energy(guess.data(), nullptr));
        continue;
      }
      const SolveReport report = stage.solve(*solver, {.iterations = 3000, .gradient = 1e-8}, y);
      EXPECT_TRUE(report.status == Status::converged || report.status == Status::stalled)
          << name(report.status);  // at round-off
      const double start = stage.value(stage.stage().guess);
      EXPECT_LE(stage.value(y) - minimum, 1e-6 * (start - minimum));
      EXPECT_LE(largest_difference(y, reference), 1e-4 * stage.system().model().size());
    }
    EXPECT_GE(supported, 3) << entry.name << " supports next to nothing";
  }
}

TEST(SolverContract, SameBitsForAnyThreadCount) {
  for (const auto& entry : registry<SolverPlugin>()) {
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 3, 4}) {
      Model model = solid(beam_mesh(3), 1000, "arap", {{"stiffness", 1e5}});
      model.gravity = {0, -9.81, 0};
      pin(model, {0, 1, 2, 3});
      const auto simulation = make_simulation(
          std::move(model), {.step = 0.02, .solver = {entry.name, {{"iterations", 4}}}, .threads = threads});
      for (int i = 0; i < 5; ++i) simulation->step();
      const std::uint64_t h = hash(simulation->state());
      if (threads == 1) first = h;
      EXPECT_EQ(h, first) << entry.name << " with " << threads << " threads";
    }
  }
}

// Two stages by one solver: what it has learnt of the cost of its iterations in the first may hold the second back.
SolveReport with_budget(const std::string& name, double seconds, std::vector<double>& y) {
  OneStage stage = released(solid(beam_mesh(2), 1000, "arap", {{"stiffness", 1e5}}), 90, 0.05);
  const auto solver = make_solver(name);
  stage.solve(*solver, {.iterations = 5, .tolerance = 0, .seconds = seconds}, y);
  return stage.solve(*solver, {.iterations = 5, .tolerance = 0, .seconds = seconds}, y);
}

TEST(SolverContract, ATinyBudgetGivesOneIterationAndALargeOneChangesNothing) {
  for (const auto& entry : registry<SolverPlugin>()) {
    SCOPED_TRACE(entry.name);
    std::vector<double> one, all, generous;
    const SolveReport tiny = with_budget(entry.name, 1e-9, one), free = with_budget(entry.name, 0, all),
                      bounded = with_budget(entry.name, 1e6, generous);
    EXPECT_EQ(tiny.iterations, 1) << "a stage left at its target would not feel any force";
    EXPECT_EQ(tiny.status, Status::time_limit) << name(tiny.status);
    EXPECT_EQ(free.iterations, 5);
    EXPECT_EQ(bounded.status, free.status);
    EXPECT_EQ(bounded.iterations, free.iterations);
    EXPECT_EQ(generous, all) << "a budget that does not bind changes no bit";
  }
}

TEST(SolverContract, TracesAreMeasuredWithTheObjective) {
  for (const auto& entry : registry<SolverPlugin>()) {
    OneStage stage = released(solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e5}}), 90, 0.05);
    const auto solver = make_solver(entry.name);
    solver->tracing = true;
    std::vector<double> values;
    std::vector<std::vector<double>> points;
    solver->observe = [&](const std::vector<double>& y, const IterationRecord&) { points.push_back(y); };
    std::vector<double> y;
    const SolveReport report = stage.solve(*solver, {.iterations = 6, .tolerance = 0}, y);
    ASSERT_EQ(report.trace.size(), points.size()) << entry.name;
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_NEAR(report.trace[i].objective, stage.value(points[i]), 1e-10 * report.trace[0].objective)
          << entry.name;
    EXPECT_EQ(points.back(), y) << entry.name;
  }
}

}  // namespace
}  // namespace resilin::test
