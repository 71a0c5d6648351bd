// Bodies that stand nearer than the radius when a run begins: they push as far as their gap is, and a little
// farther in every step.
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

constexpr double radius = 0.004, gap = 0.003;

std::unique_ptr<Simulation> boxes(double between) {
  Builder builder;
  builder.gravity({0, 0, 0});
  for (int i = 0; i < 2; ++i) {
    TetMesh mesh = box({.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
    for (std::size_t k = 1; k < mesh.vertices.size(); k += 3) mesh.vertices[k] += (0.1 + between) * i;
    builder.add(Solid{.mesh = std::move(mesh), .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}});
  }
  builder.contact({.radius = radius});
  return builder.simulation({.step = 1.0 / 60, .threads = 1});
}

double radius_of(const Simulation& simulation) {
  return simulation.state().solver.entries.at("contact.radius").values.at(0);
}

TEST(StartRadius, IsBelowTheGapAndGrowsBackToTheWhole) {
  const auto simulation = boxes(gap);
  double before = 0, fastest = 0;
  for (int i = 0; i < 30; ++i) {
    simulation->step();
    const double now = radius_of(*simulation);
    if (i == 0) EXPECT_LE(now, gap);
    else EXPECT_NEAR(now, std::min(radius, 1.02 * before), 1e-12) << i;
    before = now;
    for (const double v : simulation->velocities()) fastest = std::max(fastest, std::abs(v));
  }
  EXPECT_EQ(before, radius);
  EXPECT_LT(fastest, 0.02);
}

TEST(StartRadius, IsTheWholeWhereBodiesAreApart) {
  const auto simulation = boxes(1.1 * radius);
  simulation->step();
  EXPECT_EQ(radius_of(*simulation), radius);
}

}  // namespace
}  // namespace resilin
