#include <gtest/gtest.h>

#include <numbers>

#include "geometry/delaunay.h"
#include "geometry/mesh_checks.h"
#include "geometry/sheets/angles.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"
#include "resilin/sheets.h"

namespace resilin {
namespace {

using namespace test;

std::map<int, int> valences(const TriangleMesh& mesh) {
  std::vector<int> count(static_cast<std::size_t>(mesh.vertex_count()));
  for (const int v : mesh.triangles) ++count[static_cast<std::size_t>(v)];
  std::map<int, int> out;
  for (const int n : count) ++out[n];
  return out;
}

TEST(IrregularSheet, CoversTheRectangleWithGoodAngles) {
  for (const std::array<double, 2> size : {std::array{1.0, 1.0}, {2.0, 0.7}, {0.3, 1.1}})
    for (const int seed : {1, 2, 3}) {
      const TriangleMesh mesh = irregular_sheet({size, 0.05, 1, seed, {1, 2, 3}});
      EXPECT_TRUE(check_shell(mesh).empty());
      EXPECT_EQ(euler_characteristic(mesh), 1) << "a disc";
      const Angles found = angles(mesh);
      EXPECT_NEAR(found.area, size[0] * size[1], 1e-12);
      EXPECT_GT(found.least, 20);
      EXPECT_LT(found.largest, 125);
      const Bounds box = bounds(mesh.vertices);
      EXPECT_EQ(box.lower, (Vec3{1 - size[0] / 2, 2 - size[1] / 2, 3}));
      EXPECT_EQ(box.upper, (Vec3{1 + size[0] / 2, 2 + size[1] / 2, 3}));
      for (const int v : mesh.vertex_groups.at("x_max")) EXPECT_EQ(mesh.vertices[3 * v], box.upper[0]);
    }
}

TEST(IrregularSheet, HasNoPattern) {
  const TriangleMesh mesh = irregular_sheet({{1, 1}, 0.04});
  const std::map<int, int> found = valences(mesh);
  EXPECT_GT(found.at(5), 0.1 * mesh.vertex_count());
  EXPECT_GT(found.at(7), 0.1 * mesh.vertex_count());
  EXPECT_LE(found.rbegin()->first, 10);
  EXPECT_EQ(irregular_sheet({{1, 1}, 0.04}).vertices, mesh.vertices) << "equal seeds";
  EXPECT_NE(irregular_sheet({{1, 1}, 0.04, 1, 2}).vertices, mesh.vertices);
  EXPECT_EQ(irregular_sheet({{1, 1}, 0.04, 0}).triangles,
            grid_sheet({{1, 1}, {25, 29}, GridPattern::regular}).triangles);
}

TEST(IrregularSheet, TriangulationsAreDelaunay) {
  TriangleMesh mesh = irregular_sheet({{1, 1}, 0.05});
  EXPECT_EQ(flip_to_delaunay(mesh), 0);
  const int n = mesh.triangle_count();
  for (int t = 0; t < n; ++t) {  // no vertex in any circumscribed circle
    const auto c = corners(mesh, t);
    const Vec3 u = c[1] - c[0], v = c[2] - c[0];
    const double d = 2 * (u[0] * v[1] - u[1] * v[0]), uu = dot(u, u), vv = dot(v, v);
    const Vec3 middle = c[0] + Vec3{(v[1] * uu - u[1] * vv) / d, (u[0] * vv - v[0] * uu) / d, 0};
    const double radius = norm(middle - c[0]);
    for (int i = 0; i < mesh.vertex_count(); ++i)
      ASSERT_GT(norm(vertex_at(mesh.vertices, i) - middle), radius * (1 - 1e-9)) << t << " " << i;
  }
}

TEST(IrregularSheet, FlipsTurnAThinPairAround) {
  TriangleMesh mesh{{-1, 0, 0, 1, 0, 0, 0, 0.1, 0, 0, -0.1, 0}, {0, 1, 2, 1, 0, 3}, {}, {}};
  EXPECT_EQ(flip_to_delaunay(mesh), 1);
  EXPECT_TRUE(check_shell(mesh).empty());
  EXPECT_NEAR(angles(mesh).area, 0.2, 1e-15);
  EXPECT_EQ(flip_to_delaunay(mesh), 0);
}

TEST(IrregularSheet, ALargeSheetIsAsGoodAsASmallOne) {
  TriangleMesh mesh = irregular_sheet({{1, 1}, 0.0091});
  EXPECT_GT(mesh.vertex_count(), 13500);
  EXPECT_LT(mesh.vertex_count(), 14500);
  EXPECT_TRUE(check_shell(mesh).empty());
  EXPECT_EQ(euler_characteristic(mesh), 1) << "a disc";
  const Angles found = angles(mesh);
  EXPECT_NEAR(found.area, 1, 1e-12);
  EXPECT_GT(found.least, 20);
  EXPECT_LT(found.largest, 125);
  EXPECT_EQ(flip_to_delaunay(mesh), 0);
}

TEST(IrregularSheet, Refuses) {
  EXPECT_THROW(irregular_sheet({{1, 0}, 0.1}), InputError);
  EXPECT_THROW(irregular_sheet({{1, 1}, 0}), InputError);
  EXPECT_THROW(irregular_sheet({{1, 1}, 1e-6}), InputError);
  EXPECT_THROW(irregular_sheet({{1, 1}, 0.1, 2}), InputError);
  EXPECT_TRUE(check_shell(irregular_sheet({{1, 1}, 10})).empty()) << "coarser than the sheet";
}

}  // namespace
}  // namespace resilin
