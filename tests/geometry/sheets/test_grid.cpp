#include <gtest/gtest.h>

#include "geometry/mesh_checks.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

using namespace test;

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto c = corners(mesh, t);
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    EXPECT_GT(n[2], 0) << "faces +z";
    sum += norm(n) / 2;
  }
  return sum;
}

TEST(GridSheet, EveryPatternCoversTheRectangle) {
  for (const GridPattern pattern : {GridPattern::alternating, GridPattern::parallel, GridPattern::regular})
    for (const std::array<int, 2> cells : {std::array{1, 1}, {4, 3}, {3, 4}}) {
      const TriangleMesh mesh = grid_sheet({{2, 1.5}, cells, pattern, {1, 2, 3}});
      EXPECT_TRUE(check_shell(mesh).empty());
      EXPECT_NEAR(area(mesh), 3, 1e-12);
      EXPECT_EQ(euler_characteristic(mesh), 1) << "a disc";
      const Bounds box = bounds(mesh.vertices);
      EXPECT_EQ(box.lower, (Vec3{0, 1.25, 3}));
      EXPECT_EQ(box.upper, (Vec3{2, 2.75, 3}));
      for (const char* side : {"x_min", "x_max", "y_min", "y_max"})
        EXPECT_GE(mesh.vertex_groups.at(side).size(), 2u);
    }
}

TEST(GridSheet, RegularTrianglesHaveEqualSides) {
  const TriangleMesh mesh = grid_sheet({{10, 8 * std::sqrt(3.0) / 2}, {10, 8}, GridPattern::regular});
  int equal = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto c = corners(mesh, t);
    equal +=
        std::abs(norm(c[1] - c[0]) - 1) + std::abs(norm(c[2] - c[0]) - 1) + std::abs(norm(c[2] - c[1]) - 1) < 1e-9;
  }
  EXPECT_EQ(equal, mesh.triangle_count() - 2 * 8) << "all but the halves at the sides";
}

// Hinges bend as a plate on such triangles only (docs/theory/shells.md).
TEST(GridSheet, TheDefaultHasTrianglesOfNearlyEqualSides) {
  const GridOptions options;
  const TriangleMesh mesh = grid_sheet(options);
  int equal = 0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto c = corners(mesh, t);
    const auto [least, most] = std::minmax({norm(c[1] - c[0]), norm(c[2] - c[0]), norm(c[2] - c[1])});
    equal += most < 1.01 * least;
  }
  EXPECT_EQ(equal, mesh.triangle_count() - 2 * options.cells[1]) << "all but the halves at the sides";
}

TEST(GridSheet, AsAPlugin) {
  const SheetPlugin plugin = sheet_grid();
  EXPECT_EQ(plugin.make(plugin.params.defaults()).triangles, grid_sheet({}).triangles);
  EXPECT_THROW(plugin.make(plugin.params.read(Value(Value::Object{{"cells", Value::List{3.5, 2}}}))), InputError);
  EXPECT_THROW(grid_sheet({{-1, 1}, {1, 1}}), InputError);
  EXPECT_THROW(grid_sheet({{1, 1}, {0, 1}}), InputError);
}

}  // namespace
}  // namespace resilin
