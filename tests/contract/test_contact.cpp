// Every registered solver and contact: those that minimise reach Newton's minimum where bodies touch, nobody lets
// surfaces pass through each other, threads and resumed runs give the same bits, and what a solver cannot take it
// says, with what to use instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/broad_phase/contact_surface.h"
#include "contact/narrow_phase/intersections.h"
#include "resilin/builder.h"
#include "resilin/contact.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"
#include "resilin/solver.h"
#include "support/measures.h"

namespace resilin {
namespace {

using test::largest_difference;

const Choice soft = {"arap", {{"stiffness", 5e4}}};  // what every solver takes

int add_solid(Builder& builder, TetMesh mesh, Vec3 at, std::array<double, 3> velocity) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) mesh.vertices[i] += at[i % 3];
  const int body = builder.add(Solid{.mesh = std::move(mesh), .material = soft});
  builder.launch(body, velocity);
  return body;
}

// One is thrown at the other, off its middle.
Builder two(const TetMesh& mesh, double apart, double speed) {
  Builder builder;
  builder.gravity({0, 0, 0});
  add_solid(builder, mesh, {-0.5 * apart, 0, 0}, {speed, 0, 0});
  add_solid(builder, mesh, {0.5 * apart, 0.03, 0.01}, {-speed, 0, 0});
  return builder;
}
Builder boxes() { return two(box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), 0.108, 0.5); }
Builder balls() { return two(sphere({.radius = 0.1, .spacing = 0.06}), 0.24, 3); }

std::unique_ptr<Simulation> simulate(const Builder& builder, const std::string& solver, Values params, double step,
                                     int threads = 1) {
  return builder.simulation({.step = step, .solver = {solver, std::move(params)}, .threads = threads});
}

TEST(ContactContract, EverySolverReachesNewtonsMinimum) {
  for (const double friction : {0.0, 0.5}) {
    Builder builder = boxes();
    builder.contact({.friction = friction});
    const auto before = simulate(builder, "newton", {{"iterations", 300}}, 1.0 / 120);
    for (int i = 0; i < 2; ++i) before->step();
    const State start = before->state();
    const Values exact = {{"iterations", 5000}, {"gradient_tolerance", 1e-9}};
    const auto reference = simulate(builder, "newton", exact, 1.0 / 120);
    reference->set_state(start);
    reference->step();
    Builder without = boxes();
    const auto free = simulate(without, "newton", exact, 1.0 / 120);
    free->set_state(start);
    free->step();
    const double pushed = largest_difference(free->positions(), reference->positions());
    ASSERT_GT(pushed, 1e-4) << "they touch";
    for (const auto& entry : registry<SolverPlugin>()) {
      SCOPED_TRACE(entry.name);
      if (entry.name == "pbd" && friction > 0) continue;  // refused
      const auto simulation =
          simulate(builder, entry.name, entry.plugin.minimises ? exact : Values{{"iterations", 300}}, 1.0 / 120);
      simulation->set_state(start);
      const StepReport report = simulation->step();
      const double off = largest_difference(simulation->positions(), reference->positions());
      if (entry.plugin.minimises) {
        EXPECT_TRUE(report.status == Status::converged || report.status == Status::stalled) << name(report.status);
        EXPECT_LT(off, 1e-4 * pushed) << report.solve.iterations;
      } else if (entry.name == "xpbd") {  // its bias (docs/theory/xpbd.md) is about that of the bodies alone
        const auto alone = simulate(without, entry.name, {{"iterations", 300}}, 1.0 / 120);
        alone->set_state(start);
        alone->step();
        EXPECT_LT(off, 2 * largest_difference(alone->positions(), free->positions()));
      }  // PBD knows no stiffness, and keeps surfaces at the radius
    }
  }
}

TEST(ContactContract, NothingPassesThroughAnything) {
  for (const auto& entry : registry<SolverPlugin>()) {
    SCOPED_TRACE(entry.name);
    Builder builder = balls();
    builder.contact({});
    const auto simulation = simulate(builder, entry.name, {{"iterations", 4}}, 1.0 / 60);
    const ContactSurface surface = contact_surface(simulation->model());
    for (int i = 0; i < 12; ++i) {
      simulation->step();
      EXPECT_TRUE(crossings(surface, simulation->positions().data()).empty()) << i;
    }
    double mean = 0;
    const Body& body = simulation->model().bodies[0];
    for (int v = 0; v < body.vertex_count; ++v) mean += simulation->velocities()[static_cast<std::size_t>(3 * v)];
    EXPECT_LT(mean / body.vertex_count, 1) << "it went on";
  }
}

TEST(ContactContract, ThreadsAndResumedRunsGiveTheSameBits) {
  for (const auto& entry : registry<SolverPlugin>()) {
    SCOPED_TRACE(entry.name);
    Builder builder = boxes();
    builder.obstacle({"plane", {{"height", -0.06}}});
    builder.gravity({0, -9.81, 0});
    builder.contact({.friction = entry.name == "pbd" ? 0 : 0.5});
    const auto run = [&](int threads, const State* from, int steps) {
      const auto simulation = simulate(builder, entry.name, {{"iterations", 10}}, 1.0 / 60, threads);
      if (from != nullptr) simulation->set_state(*from);
      for (int i = 0; i < steps; ++i) simulation->step();
      return simulation->state();
    };
    const State whole = run(1, nullptr, 8);
    EXPECT_EQ(hash(whole), hash(run(2, nullptr, 8)));
    const State half = run(1, nullptr, 4);
    EXPECT_EQ(hash(whole), hash(run(2, &half, 4)));
  }
}

// ---- responses of obstacles
// ------------------------------------------------------------------------------------------

// A box pressed by its weight, thirty times ours, on the ground or on a large ball that rises.
Builder pressed(bool ball, Values params) {
  Builder builder;
  builder.gravity({0, -300, 0});
  MotionStep rise{MotionStep::Kind::translate, {0, 1, 0}, {}, {}};
  rise.amount.keyframes = {{0, -1}, {1, 0}};
  if (ball) params.emplace_back("radius", 1);
  builder.obstacle({ball ? "sphere" : "plane", std::move(params)}, ball ? Motion({rise}) : Motion());
  add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), {0, 0.0515, 0}, {0.2, -1, 0});
  return builder;
}

double inside(bool ball, const std::vector<double>& q, double time) {
  double deepest = 0;
  for (std::size_t i = 0; i < q.size(); i += 3)
    deepest = std::max(deepest, ball ? 1 - std::hypot(q[i], q[i + 1] + 1 - time, q[i + 2]) : -q[i + 1]);
  return deepest;
}

// Of an obstacle whose stiffness has no end: depths go with 1/k.
std::vector<double> stiff_limit(bool ball, const Values& exact) {
  std::vector<double> limit;
  for (const double k : {1e8, 1e9}) {
    const auto stiff = simulate(pressed(ball, {{"stiffness", k}}), "newton", exact, 1.0 / 60);
    stiff->step();
    if (limit.empty()) limit = stiff->positions();
    else
      for (std::size_t i = 0; i < limit.size(); ++i) limit[i] += (stiff->positions()[i] - limit[i]) / 0.9;
  }
  return limit;
}

TEST(ContactContract, HardObstaclesAreTheLimitOfStiffOnesOrRefused) {
  const Values exact = {{"iterations", 5000}, {"gradient_tolerance", 1e-9}};
  for (const bool ball : {false, true}) {
    const std::vector<double> limit = stiff_limit(ball, exact);
    for (const auto& entry : registry<SolverPlugin>()) {
      SCOPED_TRACE(entry.name);
      const Builder builder = pressed(ball, {{"response", "hard"}});
      if (entry.name != "admm" && entry.plugin.minimises) {
        try {
          simulate(builder, entry.name, {}, 1.0 / 60);
          ADD_FAILURE() << "it cannot take it";
        } catch (const InputError& error) {
          for (const char* word : {"hard", ball ? "sphere" : "plane", "use "})
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
        continue;
      }
      const auto simulation =
          simulate(builder, entry.name, entry.plugin.minimises ? exact : Values{{"iterations", 500}}, 1.0 / 60);
      const StepReport report = simulation->step();
      EXPECT_NEAR(report.solve.infeasibility, inside(ball, simulation->positions(), 1.0 / 60), 1e-12);
      EXPECT_LT(report.solve.infeasibility, 1e-6);
      if (!entry.plugin.minimises) continue;
      EXPECT_EQ(report.status, Status::converged);
      EXPECT_LT(largest_difference(simulation->positions(), limit), 1e-6);
    }
  }
}

// What a stage is solved without cannot hold a body up: only the vertices inside are moved, by a push that the rest
// of the body does not feel in that step. Compared with the energy of the same body, whose weight is in balance
// with the contact.
TEST(ContactContract, ProjectedObstaclesAreNoMinimum) {
  const auto rest = [](const Choice& ground) {
    Builder builder;
    builder.obstacle(ground);
    add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), {0, 0.05, 0}, {0, 0, 0});
    const auto simulation = simulate(builder, "projective_dynamics", {{"iterations", 100}}, 1.0 / 30);
    for (int i = 0; i < 60; ++i) simulation->step();
    const auto& q = simulation->positions();
    double lowest = 1, highest = -1;
    for (std::size_t i = 1; i < q.size(); i += 3)
      lowest = std::min(lowest, q[i]), highest = std::max(highest, q[i]);
    return std::array{lowest, highest};
  };
  const auto [low, high] = rest({"plane", {{"response", "projected"}}});
  const auto [reference_low, reference_high] = rest({"plane", {{"stiffness", 1e6}}});
  EXPECT_GE(low, -1e-12) << "it stands outside";
  EXPECT_GT(reference_high - high, 2 * (0.1 - reference_high)) << "it is squashed far more than its weight does";
}

TEST(ContactContract, ProjectedObstaclesPushNoBodyThroughAnother) {
  Builder builder;
  builder.obstacle({"plane", {{"response", "projected"}}});
  for (const double height : {0.058, 0.166, 0.274})
    add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), {0.05 * height, height, 0}, {0, -2, 0});
  builder.contact({});
  const auto simulation = simulate(builder, "projective_dynamics", {{"iterations", 20}}, 1.0 / 60);
  const ContactSurface surface = contact_surface(simulation->model());
  for (int i = 0; i < 30; ++i) {
    simulation->step();
    EXPECT_TRUE(crossings(surface, simulation->positions().data()).empty()) << i;
  }
}

TEST(ContactContract, NumbersOfAnEnergyAreRefusedWhereThereIsNone) {
  for (const char* response : {"hard", "projected"})
    for (const char* number : {"stiffness", "friction", "restitution"}) {
      Builder builder;
      EXPECT_THROW(builder.obstacle({"plane", {{"response", response}, {number, 0.5}}}), InputError)
          << response << " " << number;
    }
  for (const char* integrator : {"symplectic_euler", "linearly_implicit_euler"}) {
    const Builder builder = pressed(false, {{"response", "hard"}});
    EXPECT_THROW(builder.simulation({.solver = "admm", .integrator = integrator}), InputError) << integrator;
  }
  Builder rubs = boxes();
  rubs.contact({.friction = 0.5});
  EXPECT_THROW(rubs.simulation({.solver = "pbd"}), InputError);
  Builder turns = boxes();
  turns.contact({});
  EXPECT_THROW(turns.simulation({.solver = {"projective_dynamics", {{"rigid_step", true}}}}), InputError);
}

}  // namespace
}  // namespace resilin
