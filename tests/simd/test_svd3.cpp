#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lanes_of.h"
#include "setup/svd_torture.h"
#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

using testing::put_lane;
using testing::same_bits;
using testing::take_lane;
using testing::uniform;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Matrix = std::array<double, 9>;

struct Svd {
  double u[9], s[3], v[9];
};
Svd svd_of(const Matrix& f) {
  Svd result;
  svd3(f.data(), result.u, result.s, result.v);
  return result;
}

void expect_stretches(const Matrix& f, const std::array<double, 3>& expected) {
  const Svd d = svd_of(f);
  const double scale = std::abs(expected[0]) + 1e-300;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(d.s[i] / scale, expected[i] / scale, 2e-15);
  double rebuilt[9];
  multiply_diagonal_nt(d.u, d.s, d.v, rebuilt);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(rebuilt[i] / scale, f[i] / scale, 2e-15);
  EXPECT_NEAR(determinant(d.u), 1, 1e-14);
  EXPECT_NEAR(determinant(d.v), 1, 1e-14);
}

TEST(Svd3, KnownStretches) {
  expect_stretches({1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 1, 1});
  expect_stretches({-1, 0, 0, 0, -1, 0, 0, 0, -1}, {1, 1, -1});
  expect_stretches({1, 0, 0, 0, 2, 0, 0, 0, 3}, {3, 2, 1});
  expect_stretches({1, 0, 0, 0, -2, 0, 0, 0, 3}, {3, 2, -1});
  expect_stretches({0, 0, 5, 7, 0, 0, 0, 2, 0}, {7, 5, 2});
  expect_stretches({0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0});
  expect_stretches({0, 0, 0, 0, 0, 0, 0, 4, 0}, {4, 0, 0});
  expect_stretches({1, 1, 1, 1, 1, 1, 1, 1, 1}, {3, 0, 0});
  expect_stretches({0, 0, 0, 0, 3, 0, 4, 0, 0}, {4, 3, 0});
  expect_stretches({1e150, 0, 0, 0, 2e150, 0, 0, 0, 3e150}, {3e150, 2e150, 1e150});
  expect_stretches({1e-300, 0, 0, 0, 2e-300, 0, 0, 0, -3e-300}, {3e-300, 2e-300, -1e-300});
  const double golden = (1 + std::sqrt(5.0)) / 2;  // a unit shear in the plane
  expect_stretches({1, 1, 0, 0, 1, 0, 0, 0, 0}, {golden, 1 / golden, 0});
}

// A diagonal matrix keeps small entries exactly, far below rounding of the largest.
TEST(Svd3, GradedDiagonalIsExact) {
  const Svd d = svd_of({1e-30, 0, 0, 0, 1, 0, 0, 0, -1e-12});
  EXPECT_EQ(d.s[0], 1);
  EXPECT_EQ(d.s[1], 1e-12);
  EXPECT_EQ(d.s[2], -1e-30);
}

TEST(Svd3, Torture) {
  const SvdWorst worst = svd_torture(200000, 1);
  EXPECT_GE(worst.count, 200000);
  EXPECT_LT(worst.residual, 5e-15);
  EXPECT_LT(worst.orthogonality, 5e-15);
  EXPECT_LT(worst.determinant, 5e-15);
  EXPECT_EQ(worst.disordered, 0);
  EXPECT_EQ(worst.wrong_sign, 0);
  EXPECT_EQ(worst.not_finite, 0);
}

TEST(Svd3, NotFiniteInputGivesNan) {
  for (const double poison :
       {nan, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    for (std::size_t i = 0; i < 9; ++i) {
      Matrix f = {1, 2, 3, 4, 5, 6, 7, 8, 10};
      f[i] = poison;
      const Svd d = svd_of(f);
      for (const double x : d.s) EXPECT_TRUE(std::isnan(x));
      for (const double x : d.u) EXPECT_TRUE(std::isnan(x));
      for (const double x : d.v) EXPECT_TRUE(std::isnan(x));
    }
  }
}

// Easy, hard, degenerate and poisoned matrices; the hard ones need more sweeps than the easy ones.
std::vector<Matrix> mixed_matrices() {
  std::vector<Matrix> all = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                             {0, 0, 0, 0, 0, 0, 0, 0, 0},
                             {1, 1, 1, 1, 1, 1, 1, 1, 1},
                             {-0.0, 0, 1, -0.0, -2, 0, 1, 0, -0.0},
                             {nan, 1, 2, 3, 4, 5, 6, 7, 8},
                             {1, 1e-5, 0, 1e-5, 1e-10, 1e-11, 3e-9, 0, 1e-9},
                             {1e150, 2e150, 0, 0, 1e140, 0, 3e149, 0, 1}};
  std::mt19937_64 bits(9);
  while (all.size() < 400) {
    Matrix f;
    const double range = uniform(bits, 0, 25);
    for (double& x : f) x = uniform(bits, -1, 1) * std::pow(10.0, -range * uniform(bits, 0, 1));
    all.push_back(f);
  }
  return all;
}

// Each matrix in each lane among different neighbours: always the bits of the scalar version.
TEST(Svd3, LanesAreIndependentAndEqualScalar) {
  const std::vector<Matrix> all = mixed_matrices();
  for (std::size_t stride : {1, 3, 7, 11}) {
    for (std::size_t first = 0; first < all.size(); ++first) {
      Pack f[9], u[9], s[3], v[9];
      for (int l = 0; l < lanes; ++l)
        put_lane<9>(all[(first + static_cast<std::size_t>(l) * stride) % all.size()].data(), l, f);
      svd3(f, u, s, v);
      for (int l = 0; l < lanes; ++l) {
        const Svd d = svd_of(all[(first + static_cast<std::size_t>(l) * stride) % all.size()]);
        Svd mine;
        take_lane<9>(u, l, mine.u);
        take_lane<3>(s, l, mine.s);
        take_lane<9>(v, l, mine.v);
        for (int i = 0; i < 9; ++i) ASSERT_TRUE(same_bits(mine.u[i], d.u[i]) && same_bits(mine.v[i], d.v[i]));
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(same_bits(mine.s[i], d.s[i]));
      }
    }
  }
}

}  // namespace
}  // namespace resilin
