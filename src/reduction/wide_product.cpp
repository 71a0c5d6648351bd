#include "reduction/wide_product.h"

#include <algorithm>

namespace resilin {
namespace {

constexpr int most = 4, groups_per_part = 16;
using Four = double __attribute__((vector_size(32)));

struct Row {
  std::vector<int> column;
  std::vector<double> value;
};

std::vector<Row> rows_of(const SymmetricMatrix& a) {
  std::vector<Row> rows(static_cast<std::size_t>(a.size()));
  const auto add = [&](int row, int column, double value) {
    rows[static_cast<std::size_t>(row)].column.push_back(column);
    rows[static_cast<std::size_t>(row)].value.push_back(value);
  };
  for (int row = 0; row < a.size(); ++row)
    for (int s = a.start[row]; s < a.start[row + 1]; ++s) {
      add(row, a.column[s], a.value[s]);
      if (a.column[s] != row) add(a.column[s], row, a.value[s]);
    }
  return rows;
}

}  // namespace

WideProduct::WideProduct(const SymmetricMatrix& a) : x_(4 * static_cast<std::size_t>(a.size()), 0.0) {
  const std::vector<Row> rows = rows_of(a);
  for (std::size_t row = 0; row < rows.size();) {
    std::size_t end = row + 1;
    while (end < rows.size() && end < row + most && rows[end].column == rows[row].column) ++end;
    groups_.push_back({static_cast<int>(row), static_cast<int>(end - row), static_cast<int>(column_.size()),
                       static_cast<int>(rows[row].column.size()), value_.size()});
    column_.insert(column_.end(), rows[row].column.begin(), rows[row].column.end());
    for (std::size_t c = 0; c < rows[row].column.size(); ++c)
      for (std::size_t r = row; r < row + most; ++r) value_.push_back(r < end ? rows[r].value[c] : 0);
    row = end;
  }
}

void WideProduct::multiply(const double* x, double* y, ThreadPool& pool) const {
  for (std::size_t i = 0; 4 * i < x_.size(); ++i) std::copy_n(x + 3 * i, 3, &x_[4 * i]);
  const int count = static_cast<int>(groups_.size());
  pool.parallel((count + groups_per_part - 1) / groups_per_part, [&](int part) {
    for (int g = part * groups_per_part; g < std::min(count, (part + 1) * groups_per_part); ++g) {
      const Group& group = groups_[static_cast<std::size_t>(g)];
      Four sum[most] = {};
      const double* value = &value_[group.value];
      const int* column = &column_[static_cast<std::size_t>(group.first)];
      for (int c = 0; c < group.columns; ++c, value += most) {
        const Four from = *reinterpret_cast<const Four*>(&x_[4 * static_cast<std::size_t>(column[c])]);
        for (int r = 0; r < most; ++r) sum[r] += value[r] * from;
      }
      for (int r = 0; r < group.rows; ++r)
        for (int k = 0; k < 3; ++k) y[3 * static_cast<std::ptrdiff_t>(group.row + r) + k] = sum[r][k];
    }
  });
}

}  // namespace resilin
