#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mesh_checks.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

using namespace test;

TEST(BallSurface, IsASphere) {
  double error = 1;
  for (int n = 0; n < 5; ++n) {
    const TriangleMesh mesh = ball_surface({0.5, n, {1, 2, 3}});
    EXPECT_TRUE(check(mesh).empty()) << "closed, outward, no defect";
    EXPECT_EQ(mesh.triangle_count(), 20 << (2 * n));
    EXPECT_EQ(euler_characteristic(mesh), 2);
    for (int v = 0; v < mesh.vertex_count(); ++v)
      EXPECT_NEAR(norm(vertex_at(mesh.vertices, v) - Vec3{1, 2, 3}), 0.5, 1e-12);
    const double missing = 1 - enclosed_volume(mesh) / (std::numbers::pi / 6);
    EXPECT_LT(missing, n == 0 ? 0.5 : 0.33 * error);
    error = missing;
  }
}

TEST(BallSurface, AsAPlugin) {
  const SheetPlugin plugin = sheet_sphere();
  EXPECT_EQ(plugin.make(plugin.params.defaults()).triangles, ball_surface({}).triangles);
  EXPECT_THROW(ball_surface({-1, 2}), InputError);
  EXPECT_THROW(ball_surface({1, 10}), InputError);
}

}  // namespace
}  // namespace resilin
