// Incomplete Cholesky without fill, A ~ L L^T with L on the pattern of A, by blocks of 1 or 3: a preconditioner.
// It has the interface of a LinearSolver but is not registered as one, because it does not solve A x = b. When a
// pivot fails, the diagonal is scaled up until none does (Manteuffel 1980), so every A with a positive diagonal
// works.
#pragma once

#include "linear/linear_solver.h"
#include "linear/sparse_matrix.h"

namespace resilin {

class IncompleteCholesky final : public LinearSolver {
 public:
  void analyse(const SymmetricMatrix& a) override { factor_ = a; }
  Factorisation factorise(const SymmetricMatrix& a, ThreadPool& pool) override;
  void solve(const double* b, double* x, ThreadPool& pool) const override;
  std::size_t factor_bytes() const override { return factor_.value.size() * sizeof(double); }
  std::int64_t factor_nonzeros() const override { return static_cast<std::int64_t>(factor_.value.size()); }
  /// By how much the diagonal had to grow, relative to itself.
  double shift() const { return shift_; }

 private:
  SymmetricMatrix factor_;  // L; diagonal blocks hold the inverse of L_ii
  double shift_ = 0;
};

}  // namespace resilin
