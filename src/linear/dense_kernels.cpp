#include "linear/dense_kernels.h"

#include <cmath>
#include <cstddef>

// g++ 12 takes the undefined vectors of its own AVX-512 headers for a mistake wherever Eigen inlines them.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include <Eigen/Core>

namespace resilin {
namespace {

using Stride = Eigen::OuterStride<>;
using Map = Eigen::Map<Eigen::MatrixXd, 0, Stride>;
using ConstMap = Eigen::Map<const Eigen::MatrixXd, 0, Stride>;

// Eigen cuts products by the caches of the CPU it runs on, and the cut decides the order of sums. Fixed sizes: the
// same bits on every CPU.
const bool fixed_cuts = (Eigen::setCpuCacheSizes(32 << 10, 1 << 20, 16 << 20), true);

constexpr int small = 24;  // below this the recursion costs more than it gains

int cholesky_small(double* a, int n, int ld, double& pivot) {
  for (int j = 0; j < n; ++j) {
    double* column = a + static_cast<std::ptrdiff_t>(j) * ld;
    for (int k = 0; k < j; ++k) {
      const double* left = a + static_cast<std::ptrdiff_t>(k) * ld;
      const double factor = left[j];
      for (int i = j; i < n; ++i) column[i] -= factor * left[i];
    }
    pivot = column[j];
    if (!(pivot > 0) || !std::isfinite(pivot)) return j;
    const double root = std::sqrt(pivot), scale = 1 / root;
    column[j] = root;
    for (int i = j + 1; i < n; ++i) column[i] *= scale;
  }
  return -1;
}

}  // namespace

int cholesky_in_place(double* a, int n, int ld, double& pivot) {
  if (n <= small) return cholesky_small(a, n, ld, pivot);
  const int half = n / 2, rest = n - half;
  double* below = a + half;
  double* corner = a + half + static_cast<std::ptrdiff_t>(half) * ld;
  if (const int failed = cholesky_in_place(a, half, ld, pivot); failed >= 0) return failed;
  solve_transposed_right(a, half, ld, below, rest, ld);
  Map(corner, rest, rest, Stride(ld))
      .selfadjointView<Eigen::Lower>()
      .rankUpdate(ConstMap(below, rest, half, Stride(ld)), -1.0);
  const int failed = cholesky_in_place(corner, rest, ld, pivot);
  return failed < 0 ? -1 : half + failed;
}

void solve_transposed_right(const double* l, int n, int ld_l, double* b, int rows, int ld_b) {
  if (n == 0 || rows == 0) return;
  if (n <= small) {
    for (int j = 0; j < n; ++j) {
      double* column = b + static_cast<std::ptrdiff_t>(j) * ld_b;
      for (int k = 0; k < j; ++k) {
        const double factor = l[j + static_cast<std::ptrdiff_t>(k) * ld_l];
        const double* left = b + static_cast<std::ptrdiff_t>(k) * ld_b;
        for (int i = 0; i < rows; ++i) column[i] -= factor * left[i];
      }
      const double scale = 1 / l[j + static_cast<std::ptrdiff_t>(j) * ld_l];
      for (int i = 0; i < rows; ++i) column[i] *= scale;
    }
    return;
  }
  const int half = n / 2;
  double* right = b + static_cast<std::ptrdiff_t>(half) * ld_b;
  solve_transposed_right(l, half, ld_l, b, rows, ld_b);
  subtract_product(right, ld_b, {b, rows, ld_b}, {l + half, n - half, ld_l}, half);
  solve_transposed_right(l + half + static_cast<std::ptrdiff_t>(half) * ld_l, n - half, ld_l, right, rows, ld_b);
}

void subtract_product(double* c, int ld_c, ConstMatrix a, ConstMatrix b, int inner) {
  if (a.rows == 0 || b.rows == 0 || inner == 0) return;
  Map(c, a.rows, b.rows, Stride(ld_c)).noalias() -=
      ConstMap(a.data, a.rows, inner, Stride(a.ld)) * ConstMap(b.data, b.rows, inner, Stride(b.ld)).transpose();
}

}  // namespace resilin
