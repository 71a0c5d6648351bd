// y = A x for the small matrices of a subspace, which are nearly full: both triangles are stored. The rows of a
// handle have the same columns; they are summed together, four at most, one in each lane. Rows are independent: the
// same bits for any number of threads.
#pragma once
#include <vector>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "linear/sparse_matrix.h"

namespace resilin {

class WideProduct {
 public:
  WideProduct() = default;
  explicit WideProduct(const SymmetricMatrix& matrix);
  /// x and y: n x 3, row-major; they may be the same.
  void multiply(const double* x, double* y, ThreadPool& pool) const;
  /// The same in parts, within a region of the caller's: x and y are others.
  int parts() const;
  void multiply_part(int part, const double* x, double* y) const;

 private:
  struct Group {
    int row, rows;       // `rows` of them from `row` on
    int first, columns;  // in column_
    std::size_t value;   // in value_: [columns][4]
  };
  std::vector<Group> groups_;
  std::vector<int> column_;
  AlignedVector<double> value_;
  mutable std::vector<double> x_;
};

}  // namespace resilin
