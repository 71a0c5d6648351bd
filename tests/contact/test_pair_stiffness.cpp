// What contact between bodies tells preconditioners of its pairs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "contact/narrow_phase/pair_energy.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/contact.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

// Two boxes that have flown onto each other, with edges across each other.
std::unique_ptr<Simulation> pressed() {
  Builder builder;
  builder.gravity({0, 0, 0});
  for (const double side : {-1.0, 1.0}) {
    TetMesh mesh = box({.size = {0.2, 0.2, 0.2}, .cells = {4, 2, 4}});
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
      mesh.vertices[i] += 0.0008 * side, mesh.vertices[i + 1] += 0.102 * side,
          mesh.vertices[i + 2] += 0.0012 * side;
    const int body = builder.add(
        Solid{.mesh = std::move(mesh), .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}});
    builder.launch(body, {0, -0.5 * side, 0});
  }
  builder.contact({.radius = 0.004, .stiffness = 300});
  auto simulation = builder.simulation({.step = 1.0 / 60, .threads = 1});
  for (int i = 0; i < 3; ++i) simulation->step();
  return simulation;
}

// A vertex has the second derivative of the offset energy at its nearest triangle, once for each body that it
// touches; two edges have what vertices leave to them of it.
TEST(PairStiffness, IsTheCurvatureOfTheOffsetEnergy) {
  const auto simulation = pressed();
  const std::vector<double>& x = simulation->positions();
  const double r = simulation->state().solver.entries.at("contact.radius").values.at(0);
  const int bodies_end = simulation->model().bodies[1].first_vertex;
  std::set<std::pair<int, bool>> seen;
  int parts = 0;
  for (const PairStiffness& pair : simulation->system().problem().linearise(x.data()).pairs()) {
    std::array<const double*, 4> at;
    double difference[3] = {};
    for (std::size_t i = 0; i < 4; ++i) {
      at[i] = &x[3 * static_cast<std::size_t>(pair.vertices[i])];
      for (std::size_t k = 0; k < 3; ++k) difference[k] += pair.weight[i] * at[i][k];
    }
    const double d = std::hypot(difference[0], difference[1], difference[2]);
    const bool edges = (pair.vertices[0] < bodies_end) == (pair.vertices[1] < bodies_end);
    double part = 1;
    if (edges) part = edge_part(at, d, r), parts += part < 0.9 ? 1 : 0;
    else EXPECT_TRUE(seen.insert({pair.vertices[0], pair.vertices[3] < bodies_end}).second) << pair.vertices[0];
    EXPECT_NEAR(pair.stiffness, part * offset_energy(d, 300, r).curvature, 1e-9 * 300);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(pair.normal[k], difference[k] / d, 1e-9);
  }
  EXPECT_GT(seen.size(), 5u);
  EXPECT_GT(parts, 3);
}

}  // namespace
}  // namespace resilin
