// Contact between bodies: nothing passes through anything, momentum stays, friction holds, and what is solved is
// one function.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "contact/broad_phase/contact_surface.h"
#include "contact/narrow_phase/intersections.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/contact.h"
#include "resilin/errors.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"
#include "support/measures.h"

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

int crossed_frames(Builder builder, const ContactSettings& contact, int iterations, int frames) {
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
    const SolveReport report = simulation->step().solve;  // down to what rounding of Phi lets them see
    EXPECT_LT(report.residual, 1e-6 * report.first_residual) << solver;
    if (reference.empty()) reference = simulation->positions();
    EXPECT_LT(test::largest_difference(reference, simulation->positions()), 1e-7) << solver;
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
    return test::largest_difference(after, simulation->positions());
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

// What a run does frame by frame.
struct Course {
  int first_apart = -1;  // frame in which nobody is tangled any more
  int crossed_later = 0;
  double fastest = 0, fastest_at_end = 0;
  double least_advance = 0;  // of the middles along `axis`, in a frame before they are apart
};

Course watch(const Builder& builder, int frames, std::size_t axis) {
  const auto simulation = builder.simulation(choice(50));
  const ContactSurface surface = contact_surface(simulation->model());
  const auto distance = [&] {
    const auto& bodies = simulation->model().bodies;
    return test::mean(simulation->positions(), bodies[1])[axis] -
           test::mean(simulation->positions(), bodies[0])[axis];
  };
  Course out;
  double before = distance();
  for (int i = 0; i < frames; ++i) {
    simulation->step();
    const bool crossed = !crossings(surface, simulation->positions().data()).empty();
    const bool apart = simulation->system().overlapping().empty();
    if (out.first_apart < 0)
      out.least_advance = std::min(out.least_advance, distance() - before), before = distance();
    if (apart && out.first_apart < 0) out.first_apart = i;
    out.crossed_later += crossed && out.first_apart >= 0 ? 1 : 0;
    out.fastest_at_end = 0;
    for (const double v : simulation->velocities()) out.fastest_at_end = std::max(out.fastest_at_end, std::abs(v));
    out.fastest = std::max(out.fastest, out.fastest_at_end);
  }
  EXPECT_TRUE(simulation->system().overlapping().empty());
  return out;
}

TEST(BodyContact, OverlappingBallsAreLedApartAndTouchFromThenOn) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const TetMesh ball = sphere({.radius = 0.1, .spacing = 0.04});
  add_solid(builder, ball, 1e5, {-0.08, 0, 0});
  add_solid(builder, ball, 1e5, {0.08, 0.01, 0});
  builder.contact({});
  const Course course = watch(builder, 40, 0);
  EXPECT_GT(course.first_apart, 2);  // they do overlap
  EXPECT_LT(course.first_apart, 25);
  EXPECT_EQ(course.crossed_later, 0);
  EXPECT_LT(course.fastest, 0.3);
  EXPECT_GE(course.least_advance, 0);
}

// Two blocks whose meshes coincide where they overlap, so that no edge passes strictly through a triangle; one in
// the ground of the other; and stacked ones without a gap.
TEST(BodyContact, OverlappingAndTouchingBoxesComeToRest) {
  const struct { double shift, height; } cases[] = {{0, 0.09}, {0.013, 0.09}, {0, 0.1}, {0.03, 0.1}};
  for (const auto& c : cases) {
    Builder builder;
    builder.obstacle({"plane", {{"friction", 0.5}}});
    for (int i = 0; i < 3; ++i)
      add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), 1e6,
                {i == 1 ? c.shift : 0, 0.05 + c.height * i, i == 1 ? c.shift : 0});
    builder.contact({.friction = 0.5});
    const Course course = watch(builder, 90, 1);
    EXPECT_GT(course.first_apart, 0) << c.shift << " " << c.height;
    EXPECT_LT(course.first_apart, 60) << c.shift << " " << c.height;
    EXPECT_EQ(course.crossed_later, 0) << c.shift << " " << c.height;
    EXPECT_LT(course.fastest, 0.6) << c.shift << " " << c.height;
    EXPECT_LT(course.fastest_at_end, 0.02) << c.shift << " " << c.height;
  }
}

// A bar that is bent so far that one end is in the other: it unfolds, and then touches itself.
TEST(BodyContact, ABodyInItselfUnfolds) {
  Builder builder;
  builder.gravity({0, 0, 0});
  add_solid(builder, box({.size = {1, 0.05, 0.05}, .cells = {40, 2, 2}}), 1e5, {0, 0, 0});
  std::vector<double> x(builder.positions(0).begin(), builder.positions(0).end());
  for (std::size_t i = 0; i < x.size(); i += 3) {
    const double angle = 2.2 * std::numbers::pi * x[i], radius = 1 / (2.2 * std::numbers::pi) - x[i + 1];
    x[i] = radius * std::sin(angle), x[i + 1] = -radius * std::cos(angle);
  }
  builder.place(0, x);
  builder.contact({});
  const auto simulation = builder.simulation(choice(50));
  const ContactSurface surface = contact_surface(simulation->model());
  EXPECT_FALSE(crossings(surface, simulation->positions().data()).empty());
  int last = -1;
  for (int i = 0; i < 30; ++i) {
    EXPECT_NE(simulation->step().status, Status::not_finite);
    if (!crossings(surface, simulation->positions().data()).empty()) last = i;
    if (last < i) {
      EXPECT_TRUE(simulation->system().overlapping().empty() || last == i - 1);
    }
  }
  EXPECT_GE(last, 0);
  EXPECT_LT(last, 20);
}

// Far apart nothing is looked at; what then comes near in one step is noticed all the same.
TEST(BodyContact, FastBodiesThatWereFarApartMeet) {
  const auto flying = [] {
    Builder builder;
    builder.gravity({0, 0, 0});
    const TetMesh ball = sphere({.radius = 0.1, .spacing = 0.04});
    add_solid(builder, ball, 1e5, {-0.5, 0, 0}, {14, 0, 0});
    add_solid(builder, ball, 1e5, {0.5, 0.02, 0}, {-14, 0, 0});
    return builder;
  };
  EXPECT_GT(crossed_frames(flying(), {.between = false, .self = false}, 20, 6), 0);
  Builder builder = flying();
  builder.contact({});
  const auto simulation = builder.simulation(choice(20));
  const ContactSurface surface = contact_surface(simulation->model());
  for (int i = 0; i < 4; ++i) {
    simulation->step();
    EXPECT_TRUE(crossings(surface, simulation->positions().data()).empty()) << i;
    // They stop each other, or each pushes the other out of its way: by half a radius at least.
    const auto& bodies = simulation->model().bodies;
    const auto a = test::mean(simulation->positions(), bodies[0]),
               b = test::mean(simulation->positions(), bodies[1]);
    EXPECT_GT(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 0.1) << "frame " << i;
    if (i >= 2) {
      EXPECT_GT(std::hypot(a[0] - (-0.5 + 14.0 / 60 * (i + 1)), a[1], a[2]), 0.05) << "frame " << i;
    }
  }
}

TEST(BodyContact, BodiesThatStayApartHaveTheBitsOfARunWithout) {
  const auto run = [](bool contact, int threads) {
    Builder builder;
    add_solid(builder, box({.size = {0.3, 0.06, 0.06}, .cells = {12, 3, 3}}), 1e5, {0, 0, 0}, {0, 1, 0});
    add_solid(builder, box({.size = {0.3, 0.06, 0.06}, .cells = {12, 3, 3}}), 1e5, {0, 0, 0.2}, {0, 1.2, 0});
    for (int body = 0; body < 2; ++body) builder.pin({.body = body, .vertices = {0, 1, 2, 3}});
    if (contact) builder.contact({});
    const auto simulation = builder.simulation(choice(20, threads));
    for (int i = 0; i < 20; ++i) simulation->step();
    return hash(simulation->state());
  };
  EXPECT_EQ(run(true, 1), run(false, 1));
  EXPECT_EQ(run(true, 2), run(false, 1));
}

// Nothing stops a pin. That it went through something is told, and nobody waits for it.
TEST(BodyContact, PinsThatAreMovedThroughABodyAreNoticed) {
  Builder builder;
  builder.gravity({0, 0, 0});
  for (int i = 0; i < 2; ++i)
    add_solid(builder, box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}), 1e5, {0.2 * i, 0.02 * i, 0.03 * i});
  std::vector<int> all(27);
  std::iota(all.begin(), all.end(), 0);
  builder.pin({.body = 1, .vertices = all});
  MotionStep along;
  along.direction = {1, 0, 0}, along.amount.keyframes = {{0, 0}, {1, 1}};
  builder.pin({.body = 0, .vertices = all, .motion = Motion({along})});
  builder.contact({});
  const auto simulation = builder.simulation(choice(10));
  bool told = false;
  for (int i = 0; i < 30; ++i) {
    EXPECT_NE(simulation->step().status, Status::not_finite);
    told = told || !simulation->system().overlapping().empty();
  }
  EXPECT_TRUE(told);
}

TEST(BodyContact, BadNumbersAreNamed) {
  for (const ContactSettings& wrong : {ContactSettings{.radius = -1}, ContactSettings{.stiffness = std::nan("")},
                                       ContactSettings{.friction = -0.1}, ContactSettings{.pairs = {{0, 1, -2}}}})
    EXPECT_THROW(check_contact(wrong), InputError);
}

}  // namespace
}  // namespace resilin
