#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "geometry/mesh_checks.h"

namespace resilin {
namespace {

using namespace test;

TEST(Quality, of_a_regular_tet) {
  const TetMesh mesh{{1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1}, {0, 1, 3, 2}, {}, {}};
  const Quality q = quality(mesh);
  const double angle = std::acos(1.0 / 3) * 180 / std::numbers::pi;
  EXPECT_NEAR(q.tet_quality[0], 1, 1e-14);
  EXPECT_NEAR(q.min_dihedral, angle, 1e-12);
  EXPECT_NEAR(q.max_dihedral, angle, 1e-12);
  EXPECT_EQ(q.dihedral_histogram[7], 6);
}

TEST(Quality, of_a_corner_tet) {
  const Quality q = quality(one_tet());
  EXPECT_NEAR(q.min_dihedral, std::atan(std::sqrt(2.0)) * 180 / std::numbers::pi, 1e-12);
  EXPECT_NEAR(q.max_dihedral, 90, 1e-12);
  EXPECT_NEAR(q.mean_quality, std::numbers::sqrt2 / std::pow(1.5, 1.5), 1e-14);
  EXPECT_EQ(std::accumulate(q.dihedral_histogram.begin(), q.dihedral_histogram.end(), 0), 6);
}

TEST(Quality, of_flat_and_inverted_tets) {
  TetMesh mesh{{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {0, 1, 2, 3}, {}, {}};
  Quality q = quality(mesh);
  EXPECT_NEAR(q.min_dihedral, 0, 1e-12);
  EXPECT_NEAR(q.max_dihedral, 180, 1e-12);
  EXPECT_NEAR(q.min_quality, 0, 1e-15);
  mesh = one_tet();
  std::swap(mesh.tets[0], mesh.tets[1]);
  EXPECT_LT(quality(mesh).min_quality, -0.7);
  EXPECT_TRUE(quality(TetMesh{}).tet_quality.empty());
}

}  // namespace
}  // namespace resilin
