#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

TEST(Sphere, is_a_sound_ball) {
  const TetMesh mesh = sphere({0.5, 0.1, {1, 2, 3}});
  expect_sound(mesh);
  EXPECT_EQ(euler_characteristic(surface(mesh)), 2);
  EXPECT_NEAR(total_volume(mesh), std::numbers::pi / 6, 0.015 * std::numbers::pi / 6);
  const Quality q = quality(mesh);
  EXPECT_GE(q.min_dihedral, 15);  // far better than the worst case for a smooth solid
  EXPECT_LE(q.max_dihedral, 155);
  EXPECT_NEAR(bounds(mesh.vertices).upper[1], 2.5, 0.02);
}

TEST(Sphere, rejects_bad_options) {
  EXPECT_THROW(sphere({-1, 0.1, {}}), InputError);
  EXPECT_NE(input_error([] { sphere({0.01, 1, {0.1, 0.2, 0.3}}); }).find("spacing"), std::string::npos);
}

TEST(Sphere, as_a_plugin) {
  const ShapePlugin plugin = shape_sphere();
  EXPECT_EQ(plugin.make(plugin.params.defaults()).tets, sphere({}).tets);
}

}  // namespace
}  // namespace resilin
