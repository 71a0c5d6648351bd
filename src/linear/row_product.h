// y = A x by rows: the stored triangle and its mirror are listed once per pattern, so that rows are independent. In
// parallel, and with the same bits for any number of threads. Called by conjugate gradients.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "linear/sparse_matrix.h"

namespace resilin {

class RowProduct {
 public:
  RowProduct() = default;
  explicit RowProduct(const SymmetricMatrix& pattern);
  /// `a` must have the pattern; x and y as in SymmetricMatrix::multiply, not overlapping.
  void multiply(const SymmetricMatrix& a, const double* x, double* y, ThreadPool& pool) const;

 private:
  std::vector<int> start_, column_, slot_;  // slot_: 2 * slot of the stored block + (used transposed)
};

}  // namespace resilin
