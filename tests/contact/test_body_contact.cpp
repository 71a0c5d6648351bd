// Contact between bodies: nothing passes through anything, momentum stays, friction holds, and what is solved is one function.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/contact_surface.h"
#include "contact/crossings.h"
#include "resilin/builder.h"
#include "resilin/contact.h"
#include "resilin/errors.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

int add_solid(Builder& builder, TetMesh mesh, double young, Vec3 at, std::array<double, 3> velocity = {0, 0, 0}) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) mesh.vertices[i] += at[i % 3];
  const int body = builder.add(
      Solid{.mesh = std::move(mesh), .material = {"neo_hookean", {{"young", young}, {"poisson", 0.3}}}});
  builder.launch(body, velocity);
  return body;
}

Builder balls() {
  Builder builder;
  builder.gravity({0, 0, 0});
  const TetMesh ball = sphere({.radius = 0.1, .spacing = 0.04});
  add_solid(builder, ball, 1e5, {-0.12, 0, 0}, {3, 0, 0});
  add_solid(builder, ball, 1e5, {0.12, 0.02, 0}, {-3, 0, 0});
  return builder;
}

Builder stack(int boxes, double shift = 0) {
  Builder builder;
  builder.obstacle({"plane", {{"friction", 0.5}}});
  for (int i = 0; i < boxes; ++i)
    add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), 1e6, {shift * i, 0.05 + 0.108 * i, 0});
  return builder;
}

SimulationChoice choice(int iterations, int threads = 1, const std::string& integrator = "backward_euler") {
  return {.step = 1.0 / 60,
          .solver = {"quasi_newton", {{"iterations", iterations}}},
          .integrator = integrator,
          .threads = threads};
}

int crossed_frames(Builder builder, const BodyContact& contact, int iterations, int frames) {
  builder.contact(contact);
  const auto simulation = builder.simulation(choice(iterations));
  const ContactSurface surface = contact_surface(simulation->model());
  int crossed = 0;
  for (int i = 0; i < frames; ++i) {
    simulation->step();
    crossed += crossings(surface, simulation->positions().data()).empty() ? 0 : 1;
  }
  return crossed;
}

TEST(BodyContact, BallsDoNotPassThroughEachOther) {
  for (const int iterations : {3, 10}) EXPECT_EQ(crossed_frames(balls(), {}, iterations, 12), 0) << iterations;
  EXPECT_GT(crossed_frames(balls(), {.safe = false}, 3, 12), 0);
}

// A sheet that falls on its edge folds on itself.
TEST(BodyContact, ASheetDoesNotPassThroughItself) {
  const auto sheet = [] {
    Builder builder;
    builder.obstacle("plane");
    TriangleMesh mesh = grid_sheet({.size = {0.5, 0.5}, .cells = {12, 12}, .center = {0, 0.3, 0}});
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
      mesh.vertices[i + 2] = 0.01 * std::sin(7 * mesh.vertices[i] + 9 * mesh.vertices[i + 1]);
    builder.add(Shell{.mesh = mesh, .skin = {.material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}}});
    builder.launch(0, {0, -2, 0});
    return builder;
  };
  EXPECT_EQ(crossed_frames(sheet(), {}, 10, 40), 0);
}

// Backward Euler takes the energy of an impact: they end side by side.
TEST(BodyContact, MomentumIsKeptAndBodiesStopEachOther) {
  Builder builder = balls();
  builder.contact({});
  const auto simulation = builder.simulation(choice(300));
  for (int i = 0; i < 12; ++i) simulation->step();
  const auto p = simulation->momentum();
  const double scale = simulation->model().total_mass() * 3;
  for (const double component : p) EXPECT_NEAR(component, 0, 2e-3 * scale);
  double mean = 0;
  const auto& body = simulation->model().bodies[0];
  for (int v = 0; v < body.vertex_count; ++v) mean += simulation->velocities()[static_cast<std::size_t>(3 * v)];
  EXPECT_LT(mean / body.vertex_count, 0.05);
  EXPECT_GT(mean / body.vertex_count, -2);
}

// They minimise one function: from the same state to the same point.
TEST(BodyContact, SolversAgree) {
  Builder builder = balls();
  builder.contact({});
  const auto first = builder.simulation(choice(300));
  for (int i = 0; i < 1; ++i) first->step();
  const State start = first->state();
  std::vector<double> reference;
  for (const char* solver : {"newton", "quasi_newton"}) {
    const auto simulation = builder.simulation(
        {.step = 1.0 / 240,
         .solver = {solver, {{"iterations", 3000}, {"gradient_tolerance", 1e-9}, {"tolerance", 0}}},
         .threads = 1});
    simulation->set_state(start);
    EXPECT_EQ(simulation->step().status, Status::converged) << solver;
    if (reference.empty()) reference = simulation->positions();
    double farthest = 0;
    for (std::size_t i = 0; i < reference.size(); ++i)
      farthest = std::max(farthest, std::abs(reference[i] - simulation->positions()[i]));
    EXPECT_LT(farthest, 1e-7) << solver;
  }
}

TEST(BodyContact, ThreadsAndResumedRunsGiveTheSameBits) {
  Builder builder = stack(2, 0.01);
  builder.contact({.friction = 0.5});
  const auto run = [&](int threads, const State* from, int steps) {
    const auto simulation = builder.simulation(choice(20, threads));
    if (from != nullptr) simulation->set_state(*from);
    for (int i = 0; i < steps; ++i) simulation->step();
    return simulation->state();
  };
  const State whole = run(1, nullptr, 20);
  EXPECT_EQ(hash(whole), hash(run(2, nullptr, 20)));
  const State half = run(1, nullptr, 10);
  EXPECT_EQ(hash(whole), hash(run(3, &half, 10)));
}

// Shifted boxes lean on each other: without friction they slide off, with it they stay.
TEST(BodyContact, AStackWithFrictionStays) {
  const auto drift = [](double friction) {
    Builder builder = stack(3, 0.01);
    builder.contact({.friction = friction});
    const auto simulation = builder.simulation(choice(50));
    std::vector<double> after;
    for (int i = 0; i < 60; ++i) {
      simulation->step();
      if (i == 29) after = simulation->positions();
    }
    double farthest = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
      farthest = std::max(farthest, std::abs(after[i] - simulation->positions()[i]));
    return farthest;
  };
  EXPECT_LT(drift(0.5), 1e-3);
}

TEST(BodyContact, SecondOrderIntegratorsDoNotCrossEither) {
  for (const char* integrator : {"bdf2", "tr_bdf2"}) {
    Builder builder = balls();
    builder.contact({});
    const auto simulation = builder.simulation(choice(10, 1, integrator));
    const ContactSurface surface = contact_surface(simulation->model());
    for (int i = 0; i < 12; ++i) {
      simulation->step();
      EXPECT_TRUE(crossings(surface, simulation->positions().data()).empty()) << integrator << " " << i;
    }
  }
}

// Boxes that stand nearer than the radius are not thrown apart.
TEST(BodyContact, ASmallGapAtTheStartIsNoSpring) {
  Builder builder;
  builder.obstacle({"plane", {{"friction", 0.5}}});
  for (int i = 0; i < 3; ++i)
    add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), 1e6, {0, 0.05 + 0.1005 * i, 0});
  builder.contact({.friction = 0.5});
  const auto simulation = builder.simulation(choice(50));
  double fastest = 0;
  for (int i = 0; i < 60; ++i) {
    simulation->step();
    for (const double v : simulation->velocities()) fastest = std::max(fastest, std::abs(v));
  }
  EXPECT_LT(fastest, 0.15);
}

// Bodies that overlap when a run begins may come apart; afterwards they touch.
TEST(BodyContact, AnOverlapAtTheStartIsLeftAlone) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const TetMesh ball = sphere({.radius = 0.1, .spacing = 0.04});
  add_solid(builder, ball, 1e5, {-0.09, 0, 0}, {-1, 0, 0});
  add_solid(builder, ball, 1e5, {0.09, 0.01, 0}, {1, 0, 0});
  builder.contact({});
  const auto simulation = builder.simulation(choice(20));
  const ContactSurface surface = contact_surface(simulation->model());
  EXPECT_FALSE(crossings(surface, simulation->positions().data()).empty());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(simulation->step().status, Status::converged);
  EXPECT_TRUE(crossings(surface, simulation->positions().data()).empty());
}

TEST(BodyContact, BadNumbersAreNamed) {
  for (const BodyContact& wrong : {BodyContact{.radius = -1}, BodyContact{.stiffness = std::nan("")},
                                   BodyContact{.friction = -0.1}, BodyContact{.pairs = {{0, 1, -2}}}})
    EXPECT_THROW(make_body_contact(wrong), InputError);
}

}  // namespace
}  // namespace resilin
