#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lanes_of.h"
#include "simd/eigen3.h"
#include "simd/mat3.h"

namespace resilin {
namespace {

using testing::put_lane;
using testing::same_bits;
using testing::take_lane;
using testing::uniform;

void full(const double h[6], double m[9]) {
  const double all[9] = {h[0], h[5], h[4], h[5], h[1], h[3], h[4], h[3], h[2]};
  std::copy(all, all + 9, m);
}

void random_symmetric(std::mt19937_64& bits, double h[6]) {
  const double range = uniform(bits, 0, 20), scale = bits() % 4 == 0 ? 1e140 : bits() % 4 == 0 ? 1e-290 : 1;
  for (int i = 0; i < 6; ++i) h[i] = scale * uniform(bits, -1, 1) * std::pow(10.0, -range * uniform(bits, 0, 1));
  if (bits() % 8 == 0) h[1] = h[2] = h[0];
  if (bits() % 8 == 0) h[3] = h[4] = 0;
  if (bits() % 8 == 0) std::fill(h + 3, h + 6, 0.0);
}

TEST(Eigen3, Rebuilds) {
  std::mt19937_64 bits(8);
  for (int trial = 0; trial < 20000; ++trial) {
    double h[6], d[3], q[9], m[9], rebuilt[9], product[9];
    random_symmetric(bits, h);
    eigen3(h, d, q);
    full(h, m);
    multiply_diagonal_nt(q, d, q, rebuilt);
    multiply_tn(q, q, product);
    const double size = max_abs(m);
    for (int i = 0; i < 9; ++i) {
      ASSERT_NEAR(rebuilt[i] / size, m[i] / size, 1e-14);
      ASSERT_NEAR(product[i], i % 4 == 0, 1e-14);
    }
    ASSERT_NEAR(determinant(q), 1, 1e-14);
  }
}

TEST(Eigen3, LanesAreIndependentAndEqualScalar) {
  std::mt19937_64 bits(6);
  for (int trial = 0; trial < 2000; ++trial) {
    Pack h[6], d[3], q[9], p[6];
    for (int l = 0; l < lanes; ++l) {
      double one[6];
      random_symmetric(bits, one);
      if (bits() % 16 == 0) one[4] = std::numeric_limits<double>::quiet_NaN();
      put_lane<6>(one, l, h);
    }
    std::copy(h, h + 6, p);
    eigen3(h, d, q);
    project_psd3(p);
    for (int l = 0; l < lanes; ++l) {
      double sh[6], sd[3], sq[9];
      take_lane<6>(h, l, sh);
      eigen3(sh, sd, sq);
      project_psd3(sh);
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(same_bits(sd[i], lane(d[i], l)));
      for (int i = 0; i < 9; ++i) ASSERT_TRUE(same_bits(sq[i], lane(q[i], l)));
      for (int i = 0; i < 6; ++i) ASSERT_TRUE(same_bits(sh[i], lane(p[i], l)));
    }
  }
}

TEST(Eigen3, ProjectionIsNearestPositiveSemidefinite) {
  std::mt19937_64 bits(7);
  for (int trial = 0; trial < 5000; ++trial) {
    double h[6], d[3], q[9], before[9], after[9], difference[9], rest[3], q_rest[9];
    random_symmetric(bits, h);
    full(h, before);
    const double size = max_abs(before);
    project_psd3(h);
    eigen3(h, d, q);
    for (const double x : d) ASSERT_GE(x, -1e-14 * size);
    full(h, after);
    // Nearest: what was taken away is negative semidefinite and orthogonal to what is left.
    for (int i = 0; i < 9; ++i) difference[i] = after[i] / size - before[i] / size, after[i] /= size;
    ASSERT_NEAR(inner(difference, after), 0, 1e-13);
    const double packed[6] = {difference[0], difference[4], difference[8],
                              difference[5], difference[6], difference[1]};
    eigen3(packed, rest, q_rest);
    for (const double x : rest) ASSERT_GE(x, -1e-14);
  }
}

TEST(Eigen3, ProjectionKeepsDefiniteMatricesExactly) {
  double h[6] = {2, 3, 4, 0.5, -0.25, 0.125};
  const double copy[6] = {2, 3, 4, 0.5, -0.25, 0.125};
  project_psd3(h);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(h[i], copy[i]);
  double negative[6] = {-2, -3, -4, 0.5, 0.25, 0.1};
  project_psd3(negative);
  for (const double x : negative) EXPECT_NEAR(x, 0, 1e-15);
}

}  // namespace
}  // namespace resilin
