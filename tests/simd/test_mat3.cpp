#include <gtest/gtest.h>

#include "lanes_of.h"
#include "simd/mat3.h"

namespace resilin {
namespace {

const double a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10};
const double b[9] = {2, -1, 0, 3, 1, 4, -2, 5, 1};

void expect_equal(const double (&x)[9], const double (&y)[9]) {
  for (int i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(x[i], y[i]) << "entry " << i;
}

TEST(Mat3, Products) {
  double at[9], bt[9], direct[9], other[9];
  multiply(a, b, direct);
  expect_equal(direct, {2, 16, 11, 11, 31, 26, 18, 51, 42});
  transpose(a, at);
  transpose(b, bt);
  multiply_tn(at, b, other);
  expect_equal(other, direct);
  multiply_nt(a, bt, other);
  expect_equal(other, direct);
  double scaled[9];
  const double d[3] = {2, -3, 0.5};
  for (int i = 0; i < 9; ++i) scaled[i] = a[i] * d[i % 3];
  multiply_nt(scaled, b, direct);
  multiply_diagonal_nt(a, d, b, other);
  expect_equal(other, direct);
  double y[3];
  const double x[3] = {1, 0, -1};
  apply(a, x, y);
  EXPECT_EQ(y[0], -2);
  EXPECT_EQ(y[2], -3);
}

TEST(Mat3, Invariants) {
  EXPECT_DOUBLE_EQ(determinant(a), -3);
  EXPECT_EQ(trace(a), 16);
  EXPECT_EQ(squared_norm(b), 61);
  EXPECT_DOUBLE_EQ(frobenius_norm(b), std::sqrt(61.0));
  EXPECT_EQ(max_abs(b), 5);
  EXPECT_EQ(inner(a, b), 2 - 2 + 12 + 5 + 24 - 14 + 40 + 10);
  double c[9], product[9];
  cofactor(a, c);
  multiply_nt(a, c, product);  // a cof(a)^T = det(a) 1
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(product[i], i % 4 == 0 ? -3 : 0, 1e-14);
}

TEST(Mat3, LanesEqualScalar) {
  std::mt19937_64 bits(3);
  Pack pa[9], pb[9], pc[9];
  for (int i = 0; i < 9; ++i)
    for (int l = 0; l < lanes; ++l)
      pa[i][l] = testing::uniform(bits, -1, 1), pb[i][l] = testing::uniform(bits, -1, 1);
  multiply(pa, pb, pc);
  const Pack det = determinant(pc), norm = frobenius_norm(pc);
  for (int l = 0; l < lanes; ++l) {
    double sa[9], sb[9], sc[9];
    testing::take_lane<9>(pa, l, sa);
    testing::take_lane<9>(pb, l, sb);
    multiply(sa, sb, sc);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(sc[i], lane(pc[i], l));
    EXPECT_EQ(determinant(sc), lane(det, l));
    EXPECT_EQ(frobenius_norm(sc), lane(norm, l));
  }
}

}  // namespace
}  // namespace resilin
