#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linear/dense_kernels.h"
#include "matrices.h"

namespace resilin {
namespace {

std::vector<double> dense_spd(int n, int ld) {
  auto a = test::random_vector(static_cast<std::size_t>(ld) * n, 3);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) a[j + i * ld] = a[i + j * ld];
    a[i + i * ld] = n;
  }
  return a;
}

TEST(DenseKernels, CholeskyReproducesTheMatrix) {
  for (int n : {1, 5, 24, 25, 70, 130}) {
    const int ld = n + 3;
    const auto a = dense_spd(n, ld);
    auto l = a;
    double pivot = 0;
    ASSERT_EQ(cholesky_in_place(l.data(), n, ld, pivot), -1);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (int k = 0; k <= j; ++k) sum += l[i + k * ld] * l[j + k * ld];
        ASSERT_NEAR(sum, a[i + j * ld], 1e-12 * n);
        ASSERT_TRUE(j == i || l[j + i * ld] == a[j + i * ld]) << "the upper triangle is not touched";
      }
  }
}

TEST(DenseKernels, CholeskyNamesTheColumnThatFails) {
  for (double bad : {0.0, -2.0, std::nan(""), std::numeric_limits<double>::infinity()})
    for (int where : {0, 17, 40, 69}) {
      auto a = dense_spd(70, 70);
      a[where * 71] = bad;
      double pivot = 1;
      EXPECT_EQ(cholesky_in_place(a.data(), 70, 70, pivot), where);
      EXPECT_FALSE(pivot > 0 && std::isfinite(pivot));
    }
}

TEST(DenseKernels, SolveAndProduct) {
  const int n = 61, rows = 33;
  auto l = dense_spd(n, n);
  double pivot;
  ASSERT_EQ(cholesky_in_place(l.data(), n, n, pivot), -1);
  const auto b = test::random_vector(n * rows, 5);
  auto x = b;
  solve_transposed_right(l.data(), n, n, x.data(), rows, rows);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k <= j; ++k) sum += x[i + k * rows] * l[j + k * n];
      ASSERT_NEAR(sum, b[i + j * rows], 1e-12);
    }
  std::vector<double> c(rows * 4, 1.0);
  subtract_product(c.data(), rows, {b.data(), rows, rows}, {b.data() + 2, 4, rows}, n);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 4; ++j) {
      double sum = 1;
      for (int k = 0; k < n; ++k) sum -= b[i + k * rows] * b[2 + j + k * rows];
      ASSERT_NEAR(c[i + j * rows], sum, 1e-12);
    }
}

}  // namespace
}  // namespace resilin
