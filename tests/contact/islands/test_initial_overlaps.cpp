// Bodies that begin in each other: how they are led apart.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/contact.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"

namespace resilin {
namespace {

// Two boxes without weight, one 0.02 m in the other; the second is smaller.
Builder overlapping() {
  Builder builder;
  builder.gravity({0, 0, 0});
  const double size[2] = {0.2, 0.1}, at[2] = {0, 0.13};
  for (int i = 0; i < 2; ++i) {
    TetMesh mesh = box({.size = {size[i], size[i], size[i]}, .cells = {2, 2, 2}});
    for (std::size_t k = 1; k < mesh.vertices.size(); k += 3) mesh.vertices[k] += at[i];
    builder.add(Solid{.mesh = std::move(mesh), .material = {"neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}}});
  }
  builder.contact({});
  return builder;
}

TEST(InitialOverlaps, BodiesAreLedApartWithoutMomentum) {
  const auto simulation = overlapping().simulation({.step = 1.0 / 60, .threads = 1});
  for (int i = 0; i < 4; ++i) {
    simulation->step();
    EXPECT_FALSE(simulation->system().overlapping().empty());
    double fastest = 0;
    for (const double v : simulation->velocities()) fastest = std::max(fastest, std::abs(v));
    EXPECT_GT(fastest, 0.02);
    const double scale = simulation->model().total_mass() * fastest;
    for (const double p : simulation->momentum()) EXPECT_NEAR(p, 0, 1e-3 * scale) << i;
  }
}

// Bodies that something holds are asked for more from stage to stage, within bounds.
TEST(InitialOverlaps, MoreIsAskedOfBodiesThatDoNotPart) {
  Builder builder = overlapping();
  for (int body = 0; body < 2; ++body) {
    std::vector<int> all(builder.positions(body).size() / 3);
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
    all.resize(all.size() - 1);  // some vertex is free
    builder.pin({.body = body, .vertices = all});
  }
  const auto simulation = builder.simulation({.step = 1.0 / 60, .threads = 1});
  double before = 0;
  for (int i = 0; i < 4; ++i) {
    simulation->step();
    const double more = simulation->state().solver.entries.at("contact.tangled").values.at(6);
    EXPECT_GT(more, 1.2 * before) << i;
    before = more;
  }
}

}  // namespace
}  // namespace resilin
