// Small dense matrices of the set-up, column-major. Nothing here runs while a body moves.
#pragma once
#include <cstddef>
#include <vector>

namespace resilin {

struct DenseMatrix {
  DenseMatrix() = default;
  DenseMatrix(int height, int width)
      : rows(height), columns(width), value(static_cast<std::size_t>(height) * width) {}
  double& operator()(int i, int j) { return value[static_cast<std::size_t>(j) * rows + i]; }
  double operator()(int i, int j) const { return value[static_cast<std::size_t>(j) * rows + i]; }

  int rows = 0, columns = 0;
  std::vector<double> value;
};

DenseMatrix multiply(const DenseMatrix& a, const DenseMatrix& b);
/// a^T b.
DenseMatrix multiply_transposed(const DenseMatrix& a, const DenseMatrix& b);
/// Eigenvalues of a symmetric matrix, ascending; its eigenvectors become the columns of `vectors`.
std::vector<double> symmetric_eigen(const DenseMatrix& a, DenseMatrix& vectors);

/// The columns of a Gram matrix of whose square the ones before them leave more than `least`, ascending, with the
/// Cholesky factor of those.
struct IndependentColumns {
  std::vector<int> kept;
  DenseMatrix factor;  // lower triangle
  /// x <- (L L^T)^-1 x for every column.
  void solve(DenseMatrix& x) const;
};
IndependentColumns independent_columns(const DenseMatrix& gram, const std::vector<double>& least);

}  // namespace resilin
