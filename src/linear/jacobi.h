// The diagonal of A as a preconditioner. Like IncompleteCholesky it has the interface of a LinearSolver and is not
// registered as one.
#pragma once
#include <vector>

#include "linear/linear_solver.h"

namespace resilin {

class Jacobi final : public LinearSolver {
 public:
  void analyse(const SymmetricMatrix& a) override;
  /// Fails where the diagonal is not positive.
  Factorisation factorise(const SymmetricMatrix& a, ThreadPool& pool) override;
  void solve(const double* b, double* x, ThreadPool& pool) const override;
  std::size_t factor_bytes() const override { return inverse_.size() * sizeof(double); }
  std::int64_t factor_nonzeros() const override { return static_cast<std::int64_t>(inverse_.size()); }

 private:
  std::vector<double> inverse_;  // 3 per block row, whatever the block size
};

}  // namespace resilin
