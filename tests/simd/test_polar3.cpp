#include <gtest/gtest.h>

#include <cmath>

#include "lanes_of.h"
#include "simd/mat3.h"
#include "simd/polar3.h"

namespace resilin {
namespace {

using testing::put_lane;
using testing::take_lane;
using testing::uniform;

void expect_rotation(const double r[9]) {
  double product[9];
  multiply_tn(r, r, product);
  for (int i = 0; i < 9; ++i) ASSERT_NEAR(product[i], i % 4 == 0, 1e-14);
  ASSERT_NEAR(determinant(r), 1, 1e-14);
}

// R^T F must be symmetric with s_i + s_j >= 0, which only the nearest rotation has.
void expect_nearest(const double f[9], const double r[9]) {
  double m[9];
  expect_rotation(r);
  multiply_tn(r, f, m);
  const double size = frobenius_norm(f);
  ASSERT_NEAR(m[1], m[3], 1e-13 * size);
  ASSERT_NEAR(m[2], m[6], 1e-13 * size);
  ASSERT_NEAR(m[5], m[7], 1e-13 * size);
  const double h[9] = {m[4] + m[8], -m[1], -m[2], -m[1], m[0] + m[8], -m[5], -m[2], -m[5], m[0] + m[4]};
  ASSERT_GE(h[0], -1e-13 * size);
  ASSERT_GE(h[0] * h[4] - h[1] * h[1], -1e-13 * size * size);
  ASSERT_GE(determinant(h), -1e-13 * size * size * size);
}

TEST(Polar3, NearestRotationWithAnyGuess) {
  std::mt19937_64 bits(2);
  unsigned fallbacks = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Pack f[9], q[4], cold[9], warm[9];
    for (auto& x : f)
      for (int l = 0; l < lanes; ++l) x[l] = uniform(bits, -1, 1);
    for (auto& x : q)
      for (int l = 0; l < lanes; ++l) x[l] = uniform(bits, -1, 1) * (trial % 50 != 0);
    polar3(f, cold);
    const unsigned missing = polar3_warm(f, q, warm);
    fallbacks += missing != 0;
    for (int l = 0; l < lanes; ++l) {
      double sf[9], sr[9], sw[9], again[9];
      take_lane<9>(f, l, sf);
      take_lane<9>(cold, l, sr);
      take_lane<9>(warm, l, sw);
      expect_nearest(sf, sr);
      expect_nearest(sf, sw);
      polar3(sf, again);
      for (int i = 0; i < 9; ++i) ASSERT_EQ(again[i], sr[i]);
    }
  }
  EXPECT_GT(fallbacks, 0u);
}

// The quaternion that comes back is the result's, also from the fallback: a second call finds it at once.
TEST(Polar3, ReturnedGuessIsWarm) {
  std::mt19937_64 bits(4);
  for (int trial = 0; trial < 200; ++trial) {
    double turn[9], f[9];
    const double angle = uniform(bits, -3.1, 3.1), c = std::cos(angle), s = std::sin(angle);
    const double axis_turn[3][9] = {
        {1, 0, 0, 0, c, -s, 0, s, c}, {c, 0, s, 0, 1, 0, -s, 0, c}, {c, -s, 0, s, c, 0, 0, 0, 1}};
    const double stretch[9] = {1.2, 0.1, 0, 0.1, 0.9, 0.05, 0, 0.05, 1.1};
    for (int i = 0; i < 9; ++i) turn[i] = axis_turn[trial % 3][i];
    multiply(turn, stretch, f);
    Pack pf[9], q[4] = {}, r[9];
    for (int l = 0; l < lanes; ++l) put_lane<9>(f, l, pf);
    EXPECT_EQ(polar3_warm(pf, q, r), 0xFFu);  // a guess of zeros cannot converge
    EXPECT_EQ(polar3_warm(pf, q, r), 0u);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(lane(r[i], 5), turn[i], 1e-14);
  }
}

TEST(Polar3, ScalesAndNan) {
  for (const double scale : {1e-300, 1e-150, 1.0, 1e150, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    const double f[9] = {0.9 * scale, -0.3 * scale, 0, 0.4 * scale, 1.2 * scale, 0, 0, 0.1 * scale, 0.7 * scale};
    Pack pf[9], q[4] = {broadcast(1), broadcast(0), broadcast(0), broadcast(0)}, r[9];
    for (int l = 0; l < lanes; ++l) put_lane<9>(f, l, pf);
    polar3_warm(pf, q, r);
    double sr[9];
    take_lane<9>(r, 1, sr);
    if (scale == scale) {
      expect_rotation(sr);
    } else {
      for (const double x : sr) EXPECT_TRUE(std::isnan(x));
    }
  }
}

}  // namespace
}  // namespace resilin
