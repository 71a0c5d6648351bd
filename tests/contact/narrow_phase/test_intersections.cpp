#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/intersections.h"
#include "contact/surface_scenes.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

/// By volumes in long double, for shapes in general position.
std::vector<Intersection> brute_force(const ContactSurface& surface, const std::vector<double>& x) {
  const auto side = [&](int a, int b, int c, int d) {
    long double m[3][3];
    const int ids[3] = {b, c, d};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        m[i][k] = static_cast<long double>(x[3 * std::size_t(ids[i]) + k]) - x[3 * std::size_t(a) + k];
    const long double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return (det > 0) - (det < 0);
  };
  std::vector<Intersection> out;
  for (int e = 0; e < surface.edge_count(); ++e)
    for (int t = 0; t < surface.triangle_count(); ++t) {
      const auto [p, q] = surface.edges[e];
      const auto [a, b, c] = surface.triangles[t];
      if (p == a || p == b || p == c || q == a || q == b || q == c) continue;
      if (side(a, b, c, p) * side(a, b, c, q) != -1) continue;
      const int around = side(p, q, a, b) + side(p, q, b, c) + side(p, q, c, a);
      if (std::abs(around) == 3) out.push_back({e, t});
    }
  return out;
}

TEST(Intersections, AreThoseOfAllPairs) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  EXPECT_TRUE(crossings(surface, shaken(model, 1e-3, 1).data()).size() ==
              brute_force(surface, shaken(model, 1e-3, 1)).size());
  for (const unsigned seed : {1u, 2u, 3u}) {
    const std::vector<double> x = shaken(model, 0.1, seed);
    const std::vector<Intersection> found = crossings(surface, x.data());
    EXPECT_EQ(found, brute_force(surface, x));
    EXPECT_GT(found.size(), 20u);
  }
}

/// A triangle in the plane z = 0 and the edge p q of another.
std::size_t count(const Vec3& p, const Vec3& q) {
  Model model;
  add_sheet(model, one_triangle(0));
  add_string(model, {p[0], p[1], p[2], q[0], q[1], q[2]}, true);
  const std::vector<Intersection> found = crossings(contact_surface(model), model.rest.data());
  return found.size();
}

TEST(Intersections, CountWhatPassesThroughAndNotWhatTouches) {
  EXPECT_EQ(count({0.25, 0.25, -1}, {0.25, 0.25, 1}), 1u);
  EXPECT_EQ(count({0.25, 0.25, -1e-200}, {0.25, 0.25, 1}), 1u);
  EXPECT_EQ(count({0.25, 0.25, 0}, {0.25, 0.25, 1}), 0u);   // ends in the face
  EXPECT_EQ(count({0.5, 0, -1}, {0.5, 0, 1}), 0u);          // through an edge
  EXPECT_EQ(count({0.5, 1e-16, -1}, {0.5, 1e-16, 1}), 1u);  // just inside
  EXPECT_EQ(count({0, 0, -1}, {0, 0, 1}), 0u);              // through a corner
  EXPECT_EQ(count({-1, 0.3, 0}, {1, 0.3, 0}), 0u);          // in its plane
  EXPECT_EQ(count({0.25, 0.25, 1}, {0.25, 0.25, 2}), 0u);
  EXPECT_EQ(count({0.75, 0.75, -1}, {0.75, 0.75, 1}), 0u);
}

TEST(Intersections, AreTheSameForAnyThreadsAndHistory) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  const std::vector<double> x = shaken(model, 0.1, 9), other = shaken(model, 0.5, 10);
  IntersectionFinder finder(surface, model.rest.data());
  std::vector<Intersection> found;
  for (const int threads : {1, 2, 3}) {
    ThreadPool pool(threads);
    ASSERT_TRUE(finder.find(other.data(), pool, found));
    ASSERT_TRUE(finder.find(x.data(), pool, found));
    EXPECT_EQ(found, crossings(surface, x.data())) << threads;
  }
  EXPECT_GT(found.size(), 20u);
}

TEST(Intersections, NotFinitePositionsAreToldAndNotPassed) {
  const Model model = mixed_scene();
  const ContactSurface surface = contact_surface(model);
  std::vector<double> x = model.rest;
  x[3 * std::size_t(surface.vertices[7])] = std::nan("");
  IntersectionFinder finder(surface, model.rest.data());
  ThreadPool pool(1);
  std::vector<Intersection> found;
  EXPECT_FALSE(finder.find(x.data(), pool, found));
  EXPECT_THROW(crossings(surface, x.data()), InputError);
}

TEST(Intersections, AnEdgeOfANeighbourDoesNotCount) {
  Model model;
  add_sheet(model, grid_sheet(3, 3, 0.1, {0, 0, 0}));
  EXPECT_TRUE(crossings(contact_surface(model), model.rest.data()).empty());
  std::vector<double> x = shaken(model, 1e-3, 5);  // rough, but far from itself
  EXPECT_TRUE(crossings(contact_surface(model), x.data()).empty());
}

}  // namespace
}  // namespace resilin
