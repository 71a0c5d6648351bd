// Friction between bodies: what the stages of a run tell each other, and what preconditioners are told.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/contact.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

// A box on a box that is held; the upper one comes with this speed along x, where gravity may pull as well.
std::unique_ptr<Simulation> sliding(double speed, const ContactSettings& contact, double along = 0) {
  Builder builder;
  builder.gravity({along, -9.81, 0});
  for (int i = 0; i < 2; ++i) {
    TetMesh mesh = box({.size = {0.1 * (2 - i), 0.1, 0.1}, .cells = {4 / (i + 1), 2, 2}});
    for (std::size_t k = 1; k < mesh.vertices.size(); k += 3) mesh.vertices[k] += 0.1035 * i;
    const int body = builder.add(
        Solid{.mesh = std::move(mesh), .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}});
    builder.launch(body, {i * speed, 0, 0});
  }
  std::vector<int> below;
  const auto x = builder.positions(0);
  for (std::size_t v = 0; v < x.size() / 3; ++v)
    if (x[3 * v + 1] < -0.049) below.push_back(static_cast<int>(v));
  builder.pin({.body = 0, .vertices = below});
  builder.contact(contact);
  return builder.simulation({.step = 1.0 / 60, .threads = 1});
}

struct Count {
  int pushing = 0, sticking = 0;
};
Count count(Simulation& simulation) {
  Count out;
  for (const PairStiffness& pair : simulation.system().problem().linearise(simulation.positions().data()).pairs())
    out.pushing += pair.stiffness > 0 ? 1 : 0, out.sticking += pair.tangential > 0 ? 1 : 0;
  return out;
}

double mean_x(const Simulation& simulation, const std::vector<double>& of) {
  const Body& body = simulation.model().bodies[1];
  double sum = 0;
  for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v)
    sum += of[3 * static_cast<std::size_t>(v)];
  return sum / body.vertex_count;
}

// Preconditioners count a contact along the surface only where it has stuck in the stage before.
TEST(BodyFriction, ContactsThatHaveStuckAreToldFromThoseThatSlide) {
  const auto rests = sliding(0, {.friction = 0.5}), slides = sliding(2, {.friction = 0.2});
  for (int i = 0; i < 15; ++i) rests->step();
  for (int i = 0; i < 4; ++i) slides->step();
  const Count resting = count(*rests), sliding = count(*slides);
  EXPECT_GT(resting.pushing, 3);
  EXPECT_GT(resting.sticking, 3);
  EXPECT_GT(sliding.pushing, 3);
  EXPECT_EQ(sliding.sticking, 0);
}

// On a slope: contacts remember where they stuck, and pull back there in every stage. The radius is below the gap
// that the run begins with, so that it does not grow meanwhile.
TEST(BodyFriction, ABlockOnASlopeStaysBelowTheConeAndSlidesAboveIt) {
  const auto run = [](double along, int steps) {
    auto simulation = sliding(0, {.radius = 0.0034, .friction = 0.4}, along);
    for (int i = 0; i < steps; ++i) simulation->step();
    return simulation;
  };
  const auto at = [](const Simulation& simulation) { return mean_x(simulation, simulation.positions()); };
  EXPECT_NEAR(at(*run(2.5, 30)), at(*run(2.5, 15)), 2e-4);
  const double speed = mean_x(*run(6, 6), run(6, 6)->velocities());
  const auto later = run(6, 12);
  EXPECT_NEAR(mean_x(*later, later->velocities()) - speed, 0.1 * (6 - 0.4 * 9.81), 0.04);
}

TEST(BodyFriction, ACoefficientOfTwoBodiesHoldsInEitherOrder) {
  const auto run = [](std::vector<ContactSettings::Pair> pairs) {
    const auto simulation = sliding(1, {.friction = 0, .pairs = std::move(pairs)});
    for (int i = 0; i < 6; ++i) simulation->step();
    return mean_x(*simulation, simulation->velocities());
  };
  const double braked = run({{0, 1, 0.8}});
  EXPECT_LT(braked, 0.7);
  EXPECT_EQ(run({{1, 0, 0.8}}), braked);
  EXPECT_GT(run({{0, 1, 0}}), 0.95);
}

}  // namespace
}  // namespace resilin
