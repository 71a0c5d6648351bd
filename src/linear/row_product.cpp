#include "linear/row_product.h"

#include <algorithm>
#include <numeric>

namespace resilin {
namespace {

constexpr int rows_per_part = 512;

void add_block(const double* m, bool transposed, const double* x, double* sum) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) sum[r] += m[transposed ? 3 * c + r : 3 * r + c] * x[c];
}

}  // namespace

RowProduct::RowProduct(const SymmetricMatrix& pattern) : start_(pattern.size() + 1, 0) {
  const int n = pattern.size();
  for (int i = 0; i < n; ++i) {
    start_[i + 1] += pattern.start[i + 1] - pattern.start[i];
    for (int s = pattern.start[i]; s < pattern.start[i + 1] - 1; ++s) ++start_[pattern.column[s] + 1];
  }
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  column_.resize(start_[n]);
  slot_.resize(start_[n]);
  std::vector<int> next(start_.begin(), start_.end() - 1);
  const auto list = [&](int row, int column, int slot, int transposed) {
    column_[next[row]] = column;
    slot_[next[row]++] = 2 * slot + transposed;
  };
  for (int i = 0; i < n; ++i)
    for (int s = pattern.start[i]; s < pattern.start[i + 1]; ++s) {
      list(i, pattern.column[s], s, 0);
      if (pattern.column[s] != i) list(pattern.column[s], i, s, 1);
    }
}

void RowProduct::multiply(const SymmetricMatrix& a, const double* x, double* y, ThreadPool& pool) const {
  const int n = a.size(), parts = (n + rows_per_part - 1) / rows_per_part;
  pool.parallel(parts, [&](int part) {
    for (int i = part * rows_per_part; i < std::min(n, (part + 1) * rows_per_part); ++i) {
      double sum[3] = {};
      for (int e = start_[i]; e < start_[i + 1]; ++e) {
        const double* from = x + 3 * static_cast<std::ptrdiff_t>(column_[e]);
        const std::size_t slot = static_cast<std::size_t>(slot_[e] / 2);
        if (a.block() == 3) add_block(&a.value[9 * slot], slot_[e] % 2 != 0, from, sum);
        else
          for (int k = 0; k < 3; ++k) sum[k] += a.value[slot] * from[k];
      }
      std::copy_n(sum, 3, y + 3 * static_cast<std::ptrdiff_t>(i));
    }
  });
}

}  // namespace resilin
