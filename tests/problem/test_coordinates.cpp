#include <gtest/gtest.h>

#include <cmath>

#include "problem/coordinates.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// What every class of coordinates must keep; a subspace will join this test.
struct Pinned {
  Model model;
  std::vector<int> free_index;

  Pinned() : model(solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e3}})) {
    Pin pin;
    pin.vertices = {1, 4};
    for (const int v : pin.vertices)
      for (int k = 0; k < 3; ++k) pin.start.push_back(model.rest[3 * static_cast<std::size_t>(v) + k] + 0.5);
    model.pins.push_back(pin);
    int free = 0;
    for (int v = 0; v < std::ssize(model.mass); ++v) free_index.push_back(v == 1 || v == 4 ? -1 : free++);
  }
};

std::vector<double> wave(std::ptrdiff_t n, double phase) {
  std::vector<double> out(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::sin(phase + 1.7 * static_cast<double>(i));
  return out;
}

TEST(Coordinates, PullBackIsTheTransposeOfLift) {
  const Pinned p;
  const VertexCoordinates c(p.model, p.free_index);
  const auto q = wave(c.size(), 0.1), force = wave(std::ssize(p.model.rest), 2);
  std::vector<double> x(p.model.rest.size()), g(q.size());
  c.lift(q.data(), x.data());
  c.pull_back(force.data(), g.data());
  EXPECT_NEAR(dot(x, force), dot(q, g), 1e-12 * static_cast<double>(q.size()));
  const std::array<int, 3> some = {7, 0, 4};
  std::vector<double> rows(12, -9);
  c.lift(some, q.data(), rows.data());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(rows[4 * i + k], x[3 * static_cast<std::size_t>(some[i]) + k]);
    EXPECT_EQ(rows[4 * i + 3], -9);
  }
}

TEST(Coordinates, InertiaIsThatOfTheVerticesAndHasAnInverse) {
  const Pinned p;
  const VertexCoordinates c(p.model, p.free_index);
  const auto a = wave(c.size(), 0.4);
  std::vector<double> x(p.model.rest.size()), momentum(a.size());
  c.lift(a.data(), x.data());
  c.inertia(a.data(), momentum.data());
  double energy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) energy += p.model.mass[i / 3] * x[i] * x[i];
  EXPECT_NEAR(dot(a, momentum), energy, 1e-12 * energy);
  c.solve_inertia(momentum.data(), momentum.data());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(momentum[i], a[i], 1e-14);
}

TEST(Coordinates, PinnedOnesArePutWhereTheTimeWantsThem) {
  const Pinned p;
  const VertexCoordinates c(p.model, p.free_index);
  auto q = wave(c.size(), 1), v = wave(c.size(), 2);
  const auto free_q = q, free_v = v;
  c.prescribe(0.25, q.data(), v.data());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool pinned = i / 3 == 1 || i / 3 == 4;
    EXPECT_EQ(c.prescribed(static_cast<std::ptrdiff_t>(i)), pinned);
    EXPECT_EQ(q[i], pinned ? p.model.rest[i] + 0.5 : free_q[i]);
    EXPECT_EQ(v[i], pinned ? 0 : free_v[i]);
  }
}

}  // namespace
}  // namespace resilin::test
