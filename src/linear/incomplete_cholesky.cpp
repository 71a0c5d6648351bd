#include "linear/incomplete_cholesky.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace resilin {
namespace {

// c -= a b^T
template <int B>
void subtract_product_nt(const double* a, const double* b, double* c) {
  for (int i = 0; i < B; ++i)
    for (int j = 0; j < B; ++j)
      for (int k = 0; k < B; ++k) c[B * i + j] -= a[B * i + k] * b[B * j + k];
}

// m (its lower triangle) becomes the inverse of its Cholesky factor; false when a pivot is not positive.
template <int B>
bool invert_factor(double* m, double& pivot) {
  double l[B * B] = {};
  for (int j = 0; j < B; ++j)
    for (int i = j; i < B; ++i) {
      double sum = m[B * i + j];
      for (int k = 0; k < j; ++k) sum -= l[B * i + k] * l[B * j + k];
      if (i == j) {
        pivot = sum;
        if (!(sum > 0) || !std::isfinite(sum)) return false;
        l[B * j + j] = std::sqrt(sum);
      } else {
        l[B * i + j] = sum / l[B * j + j];
      }
    }
  std::fill_n(m, B * B, 0.0);
  for (int j = 0; j < B; ++j)
    for (int i = j; i < B; ++i) {
      double sum = i == j ? 1 : 0;
      for (int k = j; k < i; ++k) sum -= l[B * i + k] * m[B * k + j];
      m[B * i + j] = sum / l[B * i + i];
    }
  return true;
}

// Row by row: L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T over the k that both rows have.
template <int B>
Factorisation factorise_rows(SymmetricMatrix& l) {
  const auto block = [&](int slot) { return &l.value[static_cast<std::size_t>(slot) * B * B]; };
  for (int i = 0; i < l.size(); ++i) {
    const int diagonal = l.start[i + 1] - 1;
    for (int s = l.start[i]; s < diagonal; ++s) {
      const int j = l.column[s];
      for (int p = l.start[i], q = l.start[j]; p < s && q < l.start[j + 1] - 1;) {
        if (l.column[p] == l.column[q]) subtract_product_nt<B>(block(p++), block(q++), block(s));
        else if (l.column[p] < l.column[q]) ++p;
        else ++q;
      }
      double product[B * B] = {};
      subtract_product_nt<B>(block(s), block(l.start[j + 1] - 1), product);
      for (int k = 0; k < B * B; ++k) block(s)[k] = -product[k];
      subtract_product_nt<B>(block(s), block(s), block(diagonal));
    }
    double pivot = 0;
    if (!invert_factor<B>(block(diagonal), pivot)) return {false, i, pivot};
  }
  return {};
}

// y = m x, or m^T x; R right sides.
template <int B, int R>
void apply_block(const double* m, bool transposed, const double* x, double sign, double* y) {
  for (int i = 0; i < B; ++i)
    for (int k = 0; k < B; ++k)
      for (int r = 0; r < R; ++r) y[R * i + r] += sign * m[transposed ? B * k + i : B * i + k] * x[R * k + r];
}

template <int B>
void solve_rows(const SymmetricMatrix& l, double* x) {
  constexpr int R = 3 / B;
  const auto block = [&](int slot) { return &l.value[static_cast<std::size_t>(slot) * B * B]; };
  const auto scale = [&](int i, bool transposed) {
    double y[3] = {};
    apply_block<B, R>(block(l.start[i + 1] - 1), transposed, x + 3 * static_cast<std::ptrdiff_t>(i), 1, y);
    std::copy_n(y, 3, x + 3 * static_cast<std::ptrdiff_t>(i));
  };
  for (int i = 0; i < l.size(); ++i) {
    for (int s = l.start[i]; s < l.start[i + 1] - 1; ++s)
      apply_block<B, R>(block(s), false, x + 3 * static_cast<std::ptrdiff_t>(l.column[s]), -1,
                        x + 3 * static_cast<std::ptrdiff_t>(i));
    scale(i, false);
  }
  for (int i = l.size() - 1; i >= 0; --i) {
    scale(i, true);
    for (int s = l.start[i]; s < l.start[i + 1] - 1; ++s)
      apply_block<B, R>(block(s), true, x + 3 * static_cast<std::ptrdiff_t>(i), -1,
                        x + 3 * static_cast<std::ptrdiff_t>(l.column[s]));
  }
}

}  // namespace

Factorisation IncompleteCholesky::factorise(const SymmetricMatrix& a, ThreadPool&) {
  assert(factor_.slots() == a.slots() && factor_.block() == a.block());
  const int b = a.block();
  Factorisation result;
  for (shift_ = 0; shift_ <= 10; shift_ = shift_ == 0 ? 1e-3 : 4 * shift_) {
    factor_.value = a.value;
    for (int i = 0; shift_ > 0 && i < a.size(); ++i)
      for (int k = 0; k < b; ++k)
        factor_.value[static_cast<std::size_t>(a.start[i + 1] - 1) * b * b + k * b + k] *= 1 + shift_;
    result = b == 1 ? factorise_rows<1>(factor_) : factorise_rows<3>(factor_);
    if (result.positive_definite) break;
  }
  return result;
}

void IncompleteCholesky::solve(const double* b, double* x, ThreadPool&) const {
  if (x != b) std::copy_n(b, 3 * static_cast<std::size_t>(factor_.size()), x);
  if (factor_.block() == 1) solve_rows<1>(factor_, x);
  else solve_rows<3>(factor_, x);
}

}  // namespace resilin
