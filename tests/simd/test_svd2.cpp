#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "lanes_of.h"
#include "simd/svd2.h"

namespace resilin {
namespace {

using testing::uniform;
using Matrix = std::array<double, 6>;

struct Svd {
  double u[4], s[2], v[6];
};
Svd svd_of(const Matrix& z) {
  Svd out;
  svd2(z.data(), out.u, out.s, out.v);
  return out;
}

void expect_sound(const Matrix& z, double size) {
  const Svd d = svd_of(z);
  double again[6];
  compose2(d.u, d.s, d.v, again);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(again[i] / size, z[i] / size, 1e-14);
  EXPECT_NEAR(d.u[0] * d.u[3] - d.u[1] * d.u[2], 1, 1e-14);
  EXPECT_NEAR(d.u[0] * d.u[1] + d.u[2] * d.u[3], 0, 1e-14);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR(d.v[i] * d.v[j] + d.v[2 + i] * d.v[2 + j] + d.v[4 + i] * d.v[4 + j], i == j, 1e-14);
  EXPECT_GE(d.s[0], d.s[1]);
  EXPECT_GE(d.s[1], 0);
}

TEST(Svd2, KnownStretches) {
  EXPECT_NEAR(svd_of({2, 0, 0, 0, 3, 0}).s[0], 3, 1e-15);
  EXPECT_NEAR(svd_of({2, 0, 0, 0, 3, 0}).s[1], 2, 1e-15);
  const double golden = (1 + std::sqrt(5.0)) / 2;  // a unit shear
  EXPECT_NEAR(svd_of({1, 1, 0, 0, 1, 0}).s[0], golden, 1e-15);
  EXPECT_NEAR(svd_of({1, 1, 0, 0, 1, 0}).s[1], 1 / golden, 1e-15);
  EXPECT_NEAR(svd_of({0, 0, 1e-200, 0, 0, 2e-200}).s[0] / 1e-200, std::sqrt(5.0), 1e-14);
}

TEST(Svd2, EveryRankAndScale) {
  for (const Matrix& z : {Matrix{0, 0, 0, 0, 0, 0},
                          {1, 0, 0, 0, 0, 0},
                          {0, 0, 0, 0, 0, -2},
                          {1, 2, 3, 1, 2, 3},
                          {1, 2, 3, -2, -4, -6},
                          {1, 0, 0, 1e-9, 1e-17, 0},
                          {1, 0, 0, 0, 1, 0},
                          {0, 1, 0, 1, 0, 0}})
    expect_sound(z, 1);
  std::mt19937_64 bits(4);
  for (int i = 0; i < 20000; ++i) {
    Matrix z;
    for (double& x : z) x = uniform(bits, -1, 1);
    const double thin = std::pow(10, uniform(bits, -20, 0)), size = std::pow(10, uniform(bits, -200, 200));
    if (i % 2 == 0)
      for (std::size_t k = 0; k < 3; ++k) z[3 + k] = 0.7 * z[k] + thin * z[3 + k];
    for (double& x : z) x *= size;
    expect_sound(z, size);
  }
}

TEST(Svd2, NotFiniteInputGivesNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double poison : {nan, infinity}) EXPECT_TRUE(std::isnan(svd_of({1, 0, poison, 0, 1, 0}).s[0]));
}

TEST(Svd2, LanesAreIndependent) {
  std::mt19937_64 bits(9);
  Pack z[6], u[4], s[2], v[6];
  double one[8][6];
  for (int l = 0; l < 8; ++l) {
    for (double& x : one[l]) x = l == 3 ? 0.0 : uniform(bits, -1, 1);
    testing::put_lane<6>(one[l], l, z);
  }
  svd2(z, u, s, v);
  for (int l = 0; l < 8; ++l) {
    double ul[4], sl[2], vl[6], found[6];
    svd2(one[l], ul, sl, vl);
    testing::take_lane<2>(s, l, found);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(testing::same_bits(found[i], sl[i]));
    testing::take_lane<6>(v, l, found);
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(testing::same_bits(found[i], vl[i]));
  }
}

}  // namespace
}  // namespace resilin
