#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "geometry/surface_samples.h"
#include "geometry/triangle_bvh.h"

namespace resilin::test {
namespace {

std::vector<Vec3> random_points(int count, double reach) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> one(-reach, reach);
  std::vector<Vec3> out;
  for (int i = 0; i < count; ++i) out.push_back({one(random), one(random), one(random)});
  return out;
}

TEST(TriangleBvh, DistanceIsThatToTheNearestTriangle) {
  const TriangleMesh mesh = torus_surface();
  const TriangleBvh bvh(mesh);
  for (const Vec3& p : random_points(300, 1)) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int t = 0; t < mesh.triangle_count(); ++t) {
      const auto at = [&](int k) { return vertex_at(mesh.vertices, mesh.triangles[3 * t + k]); };
      nearest = std::min(nearest, norm(p - closest_on_triangle(p, at(0), at(1), at(2))));
    }
    EXPECT_DOUBLE_EQ(bvh.distance(p, 10), nearest);
    EXPECT_DOUBLE_EQ(bvh.distance(p, 0.1), std::min(0.1, nearest));
  }
}

TEST(TriangleBvh, ClosestPointOfATriangleIsBelowOrOnItsRim) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  const auto expect = [&](const Vec3& p, const Vec3& q) {
    const Vec3 found = closest_on_triangle(p, a, b, c);
    EXPECT_NEAR(norm(found - q), 0, 1e-15);
  };
  expect({0.25, 0.25, 3}, {0.25, 0.25, 0});
  expect({-1, -1, 1}, a);
  expect({2, -0.5, 1}, b);
  expect({-0.5, 2, 1}, c);
  expect({0.5, -1, 0}, {0.5, 0, 0});
  expect({-1, 0.5, 0}, {0, 0.5, 0});
  expect({1, 1, 0}, {0.5, 0.5, 0});
}

TEST(TriangleBvh, DegenerateTrianglesHaveADistance) {
  const Vec3 a{0, 0, 0}, b{1, 0, 0};
  EXPECT_NEAR(norm(closest_on_triangle({0.5, 1, 0}, a, b, b) - Vec3{0.5, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(closest_on_triangle({0.5, 1, 0}, a, a, a) - a), 0, 1e-15);
}

TEST(TriangleBvh, WindingIsOneInsideAndZeroOutside) {
  const TriangleBvh bvh(ball_surface());
  for (const Vec3& p : random_points(500, 0.9)) {
    const double r = norm(p);
    if (r > 0.48 && r < 0.52) continue;
    EXPECT_NEAR(bvh.winding(p), r < 0.5 ? 1 : 0, 0.05) << r;
  }
}

TEST(TriangleBvh, WindingOfAHoleIsTheSolidAngleThatIsLeft) {
  const TriangleMesh whole = ball_surface(0.5, 0.03);
  const TriangleBvh half(open_above(whole, 0.0));
  EXPECT_NEAR(half.winding({0, 0, 0}), 0.5, 0.05);
  EXPECT_GT(half.winding({0, 0, -0.3}), 0.6);
  EXPECT_LT(half.winding({0, 0, 0.3}), 0.4);
}

TEST(TriangleBvh, OverlapsCountTwice) {
  TriangleMesh two = cube_surface();
  add(two, cube_surface(1, {0.5, 0.5, 0.5}));
  const TriangleBvh bvh(two);
  EXPECT_NEAR(bvh.winding({0.25, 0.25, 0.25}), 2, 0.02);
  EXPECT_NEAR(bvh.winding({-0.25, -0.25, -0.25}), 1, 0.02);
  EXPECT_NEAR(bvh.winding({-0.25, 0.75, 0.75}), 0, 0.02);
}

TEST(TriangleBvh, NothingHasNoInside) {
  const TriangleBvh bvh(TriangleMesh{});
  EXPECT_EQ(bvh.winding({0, 0, 0}), 0);
  EXPECT_EQ(bvh.distance({0, 0, 0}, 3), 3);
}

}  // namespace
}  // namespace resilin::test
