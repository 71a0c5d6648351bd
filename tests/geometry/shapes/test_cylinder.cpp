#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

void expect_bounded(const TetMesh& mesh) {
  const Quality q = quality(mesh);
  EXPECT_GE(q.min_dihedral, 10.7);
  EXPECT_LE(q.max_dihedral, 164.8);
}

TEST(Cylinder, is_a_sound_solid) {
  const double exact = std::numbers::pi * 0.25;
  const TetMesh coarse = cylinder({0.5, 1, 0, 0.1, {0, 0, 0}}), fine = cylinder({0.5, 1, 0, 0.05, {0, 0, 0}});
  expect_sound(fine);
  expect_bounded(fine);
  EXPECT_EQ(euler_characteristic(surface(fine)), 2);
  const double coarse_error = 1 - total_volume(coarse) / exact, fine_error = 1 - total_volume(fine) / exact;
  EXPECT_LT(coarse_error, 0.03);
  EXPECT_LT(fine_error, 0.4 * coarse_error);
}

TEST(Cylinder, with_a_bore_is_a_tube) {
  const TetMesh mesh = cylinder({0.5, 1, 0.25, 0.06, {0, 0, 0.5}});
  expect_sound(mesh);
  expect_bounded(mesh);
  EXPECT_EQ(euler_characteristic(surface(mesh)), 0);
  const double exact = std::numbers::pi * (0.25 - 0.0625);
  EXPECT_NEAR(total_volume(mesh), exact, 0.03 * exact);
}

TEST(Cylinder, rejects_bad_options) {
  EXPECT_THROW(cylinder({0.5, 1, 0.5, 0.1, {}}), InputError);
  EXPECT_THROW(cylinder({0.5, -1, 0, 0.1, {}}), InputError);
}

TEST(Cylinder, as_a_plugin) {
  const ShapePlugin plugin = shape_cylinder();
  EXPECT_EQ(plugin.make(plugin.params.defaults()).tets, cylinder({}).tets);
}

}  // namespace
}  // namespace resilin
