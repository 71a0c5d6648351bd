#include <gtest/gtest.h>

#include <cmath>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-14) << i;
}

TEST(Transform, scale_and_mirror_keep_tets_positive) {
  TetMesh mesh = one_tet();
  scale(mesh, 2.0);
  EXPECT_NEAR(total_volume(mesh), 8.0 / 6, 1e-14);
  scale(mesh, Vec3{-1, 0.5, 1});
  EXPECT_NEAR(total_volume(mesh), 4.0 / 6, 1e-14);
  EXPECT_TRUE(check(mesh).empty());
  EXPECT_EQ(bounds(mesh.vertices).lower[0], -2);
  scale(mesh, Vec3{-1, -1, 1});
  EXPECT_TRUE(check(mesh).empty());
  EXPECT_THROW(scale(mesh, 0.0), InputError);
  EXPECT_THROW(scale(mesh, Vec3{1, NAN, 1}), InputError);
}

TEST(Transform, rotate_by_axis_and_by_quaternion) {
  TetMesh mesh = one_tet();
  rotate(mesh, {0, 0, 3}, 90);  // x to y
  expect_near(mesh.vertices, {0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 1});
  rotate(mesh.vertices, std::array<double, 4>{2, 0, 0, -2});  // and back
  expect_near(mesh.vertices, one_tet().vertices);
  EXPECT_NEAR(total_volume(mesh), 1.0 / 6, 1e-14);
  EXPECT_THROW(rotate(mesh, {0, 0, 0}, 10), InputError);
  EXPECT_THROW(rotate(mesh.vertices, std::array<double, 4>{0, 0, 0, 0}), InputError);
}

}  // namespace
}  // namespace resilin
