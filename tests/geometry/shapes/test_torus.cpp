#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/mesh_checks.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using namespace test;

TEST(Torus, is_a_sound_ring_of_second_order) {
  const double exact = 2 * std::numbers::pi * std::numbers::pi * 0.5 * 0.2 * 0.2;
  double error[2];
  int i = 0;
  for (double spacing : {0.08, 0.04}) {
    const TetMesh mesh = torus({0.5, 0.2, spacing, {0, 0, 0}});
    expect_sound(mesh);
    EXPECT_EQ(euler_characteristic(surface(mesh)), 0);
    const Quality q = quality(mesh);
    EXPECT_GE(q.min_dihedral, 10.7);
    EXPECT_LE(q.max_dihedral, 164.8);
    error[i++] = 1 - total_volume(mesh) / exact;
  }
  EXPECT_LT(error[0], 0.05);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.4);
}

TEST(Torus, rejects_bad_options) { EXPECT_THROW(torus({0.5, 0.6, 0.1, {}}), InputError); }

TEST(Torus, as_a_plugin) {
  const ShapePlugin plugin = shape_torus();
  EXPECT_EQ(plugin.make(plugin.params.defaults()).tets, torus({}).tets);
}

}  // namespace
}  // namespace resilin
