// Small dense matrices, column-major: products, a Cholesky factor, eigenvectors. The blocks of the sparse
// factorisation have kernels of their own (dense_kernels.h).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace resilin {

struct DenseMatrix {
  DenseMatrix() = default;
  DenseMatrix(int height, int width)
      : rows(height), columns(width), value(static_cast<std::size_t>(height) * static_cast<std::size_t>(width)) {}
  double& operator()(int i, int j) { return value[at(i, j)]; }
  double operator()(int i, int j) const { return value[at(i, j)]; }
  /// Of another size, zero.
  void reset(int height, int width) {
    rows = height, columns = width;
    value.assign(static_cast<std::size_t>(height) * static_cast<std::size_t>(width), 0.0);
  }

  int rows = 0, columns = 0;
  std::vector<double> value;

 private:
  std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i);
  }
};

DenseMatrix multiply(const DenseMatrix& a, const DenseMatrix& b);
/// a^T b.
DenseMatrix multiply_transposed(const DenseMatrix& a, const DenseMatrix& b);
/// Eigenvalues of a symmetric matrix, ascending; its eigenvectors become the columns of `vectors`.
std::vector<double> symmetric_eigen(const DenseMatrix& a, DenseMatrix& vectors);

/// A = L L^T.
class DenseCholesky {
 public:
  /// Of the lower triangle. False, and no factor, where a pivot is not positive and finite. Zeros at the beginning
  /// of a row stay, so that loose blocks cost what they hold.
  [[nodiscard]] bool factorise(DenseMatrix a);
  int size() const { return l_.rows; }
  /// x <- A^-1 x
  void solve(std::span<double> x) const;

 private:
  bool factorise_loose();

  DenseMatrix l_;           // above the diagonal L^T: both sweeps read along columns
  std::vector<int> first_;  // of each row of L: the first column that is not zero
};

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
