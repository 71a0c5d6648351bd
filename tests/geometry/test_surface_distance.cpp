#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "geometry/surface_distance.h"
#include "geometry/surface_samples.h"

namespace resilin::test {
namespace {

// Against all triangles, and the side by the winding number. Also far outside of the grid.
TEST(SurfaceDistance, IsThatToTheNearestTriangle) {
  const TriangleMesh mesh = torus_surface();
  const SurfaceDistance surface(mesh);
  const TriangleBvh bvh(mesh);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> one(-1.5, 1.5);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const double scale = i % 3 == 0 ? 1 : 0.5;
    const Vec3 p{scale * one(random), scale * one(random), scale * one(random) * 0.5};
    double nearest = std::numeric_limits<double>::infinity();
    for (int t = 0; t < mesh.triangle_count(); ++t) {
      const auto [a, b, c] = corners(mesh, t);
      nearest = std::min(nearest, norm(p - closest_on_triangle(p, a, b, c)));
    }
    const auto found = surface.nearest(p);
    EXPECT_NEAR(std::abs(found.distance), nearest, 1e-14);
    EXPECT_EQ(found.distance<0, bvh.winding(p)> 0.5) << nearest;
    EXPECT_LE(surface.lower_bound(p), found.distance + 1e-14);
    inside += found.distance < 0 ? 1 : 0;
  }
  EXPECT_GT(inside, 50);
}

}  // namespace
}  // namespace resilin::test
