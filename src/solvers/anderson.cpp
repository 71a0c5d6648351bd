#include "solvers/anderson.h"

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

// Normal equations with unit diagonal and a little regularisation, by Cholesky: pairs become parallel near the solution.
bool Anderson::coefficients(std::span<const double> with_r, std::span<double> theta) const {
  constexpr double regularisation = 1e-10;
  std::array<double, most> scale, b;
  for (int i = 0; i < size_; ++i) {
    scale[i] = gram_[i][i] > 0 ? 1 / std::sqrt(gram_[i][i]) : 0;
    b[i] = with_r[i] * scale[i];
  }
  std::array<std::array<double, most>, most> l;
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = i == j ? 1 + regularisation : gram_[i][j] * scale[i] * scale[j];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0)) return false;
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  for (int i = 0; i < size_; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= l[i][k] * b[k];
    b[i] /= l[i][i];
  }
  for (int i = size_ - 1; i >= 0; --i) {
    for (int k = i + 1; k < size_; ++k) b[i] -= l[k][i] * b[k];
    b[i] /= l[i][i];
  }
  bool useful = false;
  for (int i = 0; i < size_; ++i) {
    theta[i] = b[i] * scale[i];
    if (!std::isfinite(theta[i])) return false;
    useful = useful || theta[i] != 0;
  }
  return useful;
}

}  // namespace resilin
