#include "linear/dense.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "linear/dense_kernels.h"

// g++ 12 takes the undefined vectors of its own AVX-512 headers for a mistake wherever Eigen inlines them.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include <Eigen/Eigenvalues>

namespace resilin {
namespace {

Eigen::Map<const Eigen::MatrixXd> map(const DenseMatrix& a) { return {a.value.data(), a.rows, a.columns}; }
Eigen::Map<Eigen::MatrixXd> map(DenseMatrix& a) { return {a.value.data(), a.rows, a.columns}; }

constexpr int small = 32;  // where Jacobi's method is as fast, and its bits do not depend on the width of vectors

// Cyclic Jacobi (Golub and Van Loan, Section 8.5). `v` becomes the eigenvectors, by rows.
void diagonalise(DenseMatrix& a, std::vector<double>& v) {
  const int n = a.rows;
  v.assign(static_cast<std::size_t>(n * n), 0.0);
  for (int i = 0; i < n; ++i) v[i * (n + 1)] = 1;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0, diagonal = 0;
    for (int i = 0; i < n * n; ++i) {
      const double entry = a.value[i];
      (i % (n + 1) == 0 ? diagonal : off) += entry * entry;
    }
    if (off <= 1e-30 * diagonal) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (a(p, q) == 0) continue;
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t = std::copysign(1 / (std::abs(theta) + std::sqrt(theta * theta + 1)), theta);
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        const auto turn = [&](double& x, double& y) {
          const double old = x;
          x = c * old - s * y, y = s * old + c * y;
        };
        for (int k = 0; k < n; ++k) turn(a(k, p), a(k, q));
        for (int k = 0; k < n; ++k) turn(a(p, k), a(q, k));
        for (int k = 0; k < n; ++k) turn(v[p * n + k], v[q * n + k]);
      }
  }
}

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
  const int n = a.rows;
  vectors.reset(n, n);
  if (n > small) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(map(a));
    map(vectors) = eigen.eigenvectors();
    return {eigen.eigenvalues().data(), eigen.eigenvalues().data() + n};
  }
  DenseMatrix d = a;
  std::vector<double> v, values;
  diagonalise(d, v);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return d(i, i) < d(j, j); });
  for (int c = 0; c < n; ++c) {
    const int i = order[c];
    values.push_back(d(i, i));
    for (int k = 0; k < n; ++k) vectors(k, c) = v[i * n + k];
  }
  return values;
}

bool DenseCholesky::factorise(DenseMatrix a) {
  l_ = std::move(a);
  const int n = l_.rows;
  first_.assign(static_cast<std::size_t>(n), 0);
  bool loose = false;
  for (int i = 0; i < n; ++i) {
    int& first = first_[i];
    while (first < i && l_(i, first) == 0) ++first;
    loose = loose || first > 0;
  }
  double pivot = 0;
  if (loose ? !factorise_loose() : cholesky_in_place(l_.value.data(), n, n, pivot) >= 0) {
    l_ = {};
    return false;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) l_(j, i) = l_(i, j);
  return true;
}

// Row i of L is kept in column i, above the diagonal, while it is found.
bool DenseCholesky::factorise_loose() {
  for (int i = 0; i < l_.rows; ++i) {
    double* row = &l_(0, i);
    const int begin = first_[i];
    for (int j = begin; j <= i; ++j) {
      const double* other = &l_(0, j);
      double sum = l_(i, j);
      for (int k = std::max(begin, first_[j]); k < j; ++k) sum -= row[k] * other[k];
      if (j == i && (!(sum > 0) || !std::isfinite(sum))) return false;
      row[j] = j < i ? sum / other[j] : std::sqrt(sum);
    }
    for (int j = begin; j < i; ++j) l_(i, j) = row[j];
  }
  return true;
}

void DenseCholesky::solve(std::span<double> x) const {
  const auto n = static_cast<std::size_t>(l_.rows);
  assert(x.size() == n);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = &l_.value[i * n];
    double sum = x[i];
    for (std::size_t k = static_cast<std::size_t>(first_[i]); k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum / row[i];
  }
  for (std::size_t j = n; j-- > 0;) {
    const double* column = &l_.value[j * n];
    double sum = x[j];
    for (std::size_t i = j + 1; i < n; ++i) sum -= column[i] * x[i];
    x[j] = sum / column[j];
  }
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
