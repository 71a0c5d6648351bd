#include "reduction/dense_algebra.h"

#include <cassert>
#include <cmath>

// g++ 12 takes the undefined vectors of its own AVX-512 headers for a mistake wherever Eigen inlines them.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include <Eigen/Eigenvalues>

namespace resilin {
namespace {

Eigen::Map<const Eigen::MatrixXd> map(const DenseMatrix& a) { return {a.value.data(), a.rows, a.columns}; }
Eigen::Map<Eigen::MatrixXd> map(DenseMatrix& a) { return {a.value.data(), a.rows, a.columns}; }

}  // namespace

DenseMatrix multiply(const DenseMatrix& a, const DenseMatrix& b) {
  assert(a.columns == b.rows);
  DenseMatrix out(a.rows, b.columns);
  map(out).noalias() = map(a) * map(b);
  return out;
}

DenseMatrix multiply_transposed(const DenseMatrix& a, const DenseMatrix& b) {
  assert(a.rows == b.rows);
  DenseMatrix out(a.columns, b.columns);
  map(out).noalias() = map(a).transpose() * map(b);
  return out;
}

std::vector<double> symmetric_eigen(const DenseMatrix& a, DenseMatrix& vectors) {
  vectors = DenseMatrix(a.rows, a.rows);
  if (a.rows == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(map(a));
  map(vectors) = eigen.eigenvectors();
  return {eigen.eigenvalues().data(), eigen.eigenvalues().data() + a.rows};
}

IndependentColumns independent_columns(const DenseMatrix& gram, const std::vector<double>& least) {
  IndependentColumns out;
  std::vector<std::vector<double>> row;  // of the factor
  for (int j = 0; j < gram.columns; ++j) {
    std::vector<double> l;
    double left = gram(j, j);
    for (std::size_t i = 0; i < out.kept.size(); ++i) {
      double sum = gram(out.kept[i], j);
      for (std::size_t k = 0; k < i; ++k) sum -= l[k] * row[i][k];
      l.push_back(sum / row[i][i]);
      left -= l.back() * l.back();
    }
    if (!(left > least[j])) continue;
    l.push_back(std::sqrt(left));
    out.kept.push_back(j);
    row.push_back(std::move(l));
  }
  const int n = static_cast<int>(out.kept.size());
  out.factor = DenseMatrix(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) out.factor(i, j) = row[i][j];
  return out;
}

void IndependentColumns::solve(DenseMatrix& x) const {
  const auto l = map(factor).triangularView<Eigen::Lower>();
  l.solveInPlace(map(x));
  l.transpose().solveInPlace(map(x));
}

}  // namespace resilin
