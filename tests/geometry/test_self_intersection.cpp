// Pairs of triangles: crossing, touching, folded, sharing a corner or an edge; exact signs; all against all as the
// reference.
#include <gtest/gtest.h>

#include <random>

#include "geometry/mesh_checks.h"
#include "geometry/self_intersection.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

using namespace test;
using Pairs = std::vector<std::array<int, 2>>;

Pairs pairs_of(const std::vector<double>& vertices, const std::vector<int>& triangles) {
  return intersecting_pairs(vertices, triangles, std::vector<bool>(triangles.size() / 3, true)).pairs;
}

const Corners flat{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

TEST(Orientation, SignsOfTinyVolumesAreExact) {
  const Vec3 a{0.1, 0.1, 0.1}, b{1.1, 0.2, 0.3}, c{0.3, 1.7, 0.2};
  const Vec3 middle = 0.5 * (b - a) + 0.25 * (c - a) + a;  // rounded: off the plane by some 1e-17
  Vec3 above = middle, below = middle;
  above[2] = std::nextafter(std::nextafter(middle[2], 2), 2);
  below[2] = std::nextafter(std::nextafter(middle[2], -2), -2);
  EXPECT_EQ(orientation(a, b, c, above), 1);
  EXPECT_EQ(orientation(a, b, c, below), -1);
  // On the plane x + y + z = 3 * 2^-50 + 3 exactly, far from where the estimate can tell.
  const double e = std::ldexp(1.0, -50);
  EXPECT_EQ(orientation({1 + 3 * e, 1, 1}, {1, 1 + 3 * e, 1}, {1, 1, 1 + 3 * e}, {1 + e, 1 + e, 1 + e}), 0);
  EXPECT_NE(orientation({1 + 3 * e, 1, 1}, {1, 1 + 3 * e, 1}, {1, 1, 1 + 3 * e}, {1 + e, 1 + e, 1 + 2 * e}), 0);
}

TEST(TrianglesIntersect, CrossingTouchingAndApart) {
  EXPECT_TRUE(triangles_intersect(flat, {{{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}}));
  EXPECT_TRUE(triangles_intersect(flat, {{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}));     // a corner on it
  EXPECT_TRUE(triangles_intersect(flat, {{{2, -1, -1}, {2, 1, 1}, {2, -1, 1}}}));  // edge on edge
  EXPECT_FALSE(triangles_intersect(flat, {{{1, 1, 1e-300}, {1, 1, 1}, {2, 1, 1}}}));
  EXPECT_FALSE(triangles_intersect(flat, {{{5, 5, -1}, {5, 5, 1}, {9, 9, 1}}}));  // meets the plane only
  EXPECT_FALSE(triangles_intersect(flat, {{{2.01, 2, -1}, {2, 2.01, 1}, {9, 9, 1}}}));
}

TEST(TrianglesIntersect, InOnePlane) {
  EXPECT_TRUE(triangles_intersect(flat, {{{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}}));    // within
  EXPECT_TRUE(triangles_intersect(flat, {{{-9, -9, 0}, {30, -9, 0}, {-9, 30, 0}}}));  // around
  EXPECT_TRUE(triangles_intersect(flat, {{{1, 1, 0}, {9, 1, 0}, {9, 2, 0}}}));
  EXPECT_FALSE(triangles_intersect(flat, {{{3, 3, 0}, {9, 3, 0}, {3, 9, 0}}}));
}

TEST(IntersectingPairs, SharedCornersAndEdgesAreNone) {
  const std::vector<double> fan{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 0, 0, -1, 1, 0.5};
  EXPECT_EQ(pairs_of(fan, {0, 1, 2, 0, 2, 3, 0, 3, 4}), Pairs{});
  EXPECT_EQ(pairs_of(fan, {0, 1, 2, 2, 1, 0}), Pairs{});  // a duplicate, which is another defect
}

TEST(IntersectingPairs, FoldedFlatAndThroughACommonCorner) {
  const std::vector<double> v{0, 0, 0, 2, 0, 0, 1, 2, 0, 1, 1, 0, 1, 1, 1, 0.8, 0.8, -1, 1.2, 0.7, 1};
  EXPECT_EQ(pairs_of(v, {0, 1, 2, 1, 0, 3}), (Pairs{{0, 1}}));  // folded back onto itself
  EXPECT_EQ(pairs_of(v, {0, 1, 2, 1, 0, 4}), Pairs{});          // an ordinary hinge
  EXPECT_EQ(pairs_of(v, {0, 1, 2, 0, 5, 6}), (Pairs{{0, 1}}));  // passes through, from their corner on
}

TEST(IntersectingPairs, ShapesHaveNone) {
  for (const TetMesh& mesh : {box({{2, 1, 1}, {4, 2, 2}, BoxPattern::five, {0, 0, 0}}), one_tet()}) {
    TriangleMesh skin = surface(mesh);
    EXPECT_EQ(pairs_of(skin.vertices, skin.triangles), Pairs{});
    rotate(skin.vertices, Vec3{1, 2, 3}, 41.7);  // flat sides are no longer exactly flat
    EXPECT_EQ(pairs_of(skin.vertices, skin.triangles), Pairs{});
  }
}

TEST(IntersectingPairs, AsAllAgainstAll) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> place(0, 10), small(-1, 1);
  std::vector<double> vertices;
  std::vector<int> triangles;
  for (int t = 0; t < 400; ++t) {
    const double at[3] = {place(generator), place(generator), place(generator)};
    for (int i = 0; i < 3; ++i) {
      for (double x : at) vertices.push_back(x + small(generator));
      triangles.push_back(3 * t + i);
    }
  }
  const auto corners = [&](int t) {
    return Corners{vertex_at(vertices, 3 * t), vertex_at(vertices, 3 * t + 1), vertex_at(vertices, 3 * t + 2)};
  };
  Pairs expected;
  for (int s = 0; s < 400; ++s)
    for (int t = s + 1; t < 400; ++t)
      if (triangles_intersect(corners(s), corners(t))) expected.push_back({s, t});
  EXPECT_GT(expected.size(), 20u);
  EXPECT_EQ(pairs_of(vertices, triangles), expected);
}

TEST(IntersectingPairs, AHopelessSurfaceComesToAnEnd) {
  std::vector<double> vertices;
  std::vector<int> triangles;
  for (int t = 0; t < 3000; ++t)  // each through all others: 4.5 million pairs
    for (int i = 0; i < 3; ++i) {
      const double angle = 0.001 * t;
      vertices.insert(vertices.end(),
                      {std::cos(angle) * (i - 1.0), std::sin(angle) * (i - 1.0), i == 1 ? 1.0 : -1.0});
      triangles.push_back(3 * t + i);
    }
  const IntersectingPairs found = intersecting_pairs(vertices, triangles, std::vector<bool>(3000, true));
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.pairs.size(), 1'000'000u);
}

}  // namespace
}  // namespace resilin
