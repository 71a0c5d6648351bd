#include "linear/jacobi.h"

#include <cmath>

#include "linear/sparse_matrix.h"

namespace resilin {

void Jacobi::analyse(const SymmetricMatrix& a) { inverse_.assign(3 * static_cast<std::size_t>(a.size()), 0.0); }

Factorisation Jacobi::factorise(const SymmetricMatrix& a, ThreadPool&) {
  const int b = a.block();
  for (int i = 0; i < a.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const int c = b == 1 ? 0 : k;
      const double d = a.value[static_cast<std::size_t>(a.start[i + 1] - 1) * b * b + c * b + c];
      if (!(d > 0) || !std::isfinite(d)) return {false, i, d};
      inverse_[3 * i + k] = 1 / d;
    }
  return {};
}

void Jacobi::solve(const double* b, double* x, ThreadPool&) const {
  for (std::size_t i = 0; i < inverse_.size(); ++i) x[i] = inverse_[i] * b[i];
}

}  // namespace resilin
