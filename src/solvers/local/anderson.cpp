#include "solvers/local/anderson.h"

#include <algorithm>
#include <cmath>

namespace resilin {

int Anderson::push() {
  const int slot = next_;
  next_ = (next_ + 1) % window_;
  size_ = std::min(size_ + 1, window_);
  return slot;
}

void Anderson::set_products(int slot, std::span<const double> dots) {
  for (int j = 0; j < size_; ++j) gram_[slot][j] = gram_[j][slot] = dots[j];
}

// Normal equations with a little regularisation of each diagonal, by L D L^T: pairs become parallel near the
// solution. No square roots, so that other units give the same bits (E87). A pair of length zero gets theta = 0.
bool Anderson::coefficients(std::span<const double> with_r, std::span<double> theta) const {
  constexpr double regularisation = 1e-10;
  std::array<double, most> d, b;
  std::array<std::array<double, most>, most> l;  // unit lower triangle
  for (int i = 0; i < size_; ++i) {
    const bool empty = !(gram_[i][i] > 0);
    for (int j = 0; j < i; ++j) {
      double sum = gram_[i][j];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * d[k] * l[j][k];
      l[i][j] = empty ? 0 : sum / d[j];
    }
    d[i] = empty ? 1 : (1 + regularisation) * gram_[i][i];
    for (int k = 0; k < i; ++k) d[i] -= l[i][k] * l[i][k] * d[k];
    if (!(d[i] > 0)) return false;
    b[i] = empty ? 0 : with_r[i];
    for (int k = 0; k < i; ++k) b[i] -= l[i][k] * b[k];
  }
  for (int i = size_ - 1; i >= 0; --i) {
    b[i] /= d[i];
    for (int k = i + 1; k < size_; ++k) b[i] -= l[k][i] * b[k];
  }
  bool useful = false;
  for (int i = 0; i < size_; ++i) {
    theta[i] = b[i];
    if (!std::isfinite(theta[i])) return false;
    useful = useful || theta[i] != 0;
  }
  return useful;
}

}  // namespace resilin
