#include "reduction/wide_product.h"

#include <algorithm>

namespace resilin {
namespace {

constexpr int most = 4, at_once = 4, groups_per_part = 8;
using Four = double __attribute__((vector_size(32)));

struct Row {
  std::vector<int> column;
  std::vector<double> value;
};

std::vector<Row> rows_of(const SymmetricMatrix& a) {
  std::vector<Row> rows(a.size());
  const auto add = [&](int row, int column, double value) {
    rows[row].column.push_back(column);
    rows[row].value.push_back(value);
  };
  for (int row = 0; row < a.size(); ++row)
    for (int s = a.start[row]; s < a.start[row + 1]; ++s) {
      add(row, a.column[s], a.value[s]);
      if (a.column[s] != row) add(a.column[s], row, a.value[s]);
    }
  return rows;
}

}  // namespace

WideProduct::WideProduct(const SymmetricMatrix& a) : x_(3 * static_cast<std::size_t>(a.size()), 0.0) {
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

int WideProduct::parts() const {
  return (static_cast<int>(groups_.size()) + groups_per_part - 1) / groups_per_part;
}

void WideProduct::multiply_part(int part, const double* x, double* y) const {
  const int count = static_cast<int>(groups_.size());
  for (int g = part * groups_per_part; g < std::min(count, (part + 1) * groups_per_part); ++g) {
    const Group& group = groups_[g];
    const double* value = &value_[group.value];
    const int* column = &column_[group.first];
    Four sum[at_once][3] = {};  // so many columns at once hide how long an operation takes
    int c = 0;
    for (; c + at_once <= group.columns; c += at_once)
      for (int i = 0; i < at_once; ++i) {
        const Four left = *reinterpret_cast<const Four*>(value + (c + i) * most);
        const double* right = x + 3 * column[c + i];
        for (int k = 0; k < 3; ++k) sum[i][k] += left * right[k];
      }
    for (; c < group.columns; ++c)
      for (int k = 0; k < 3; ++k)
        sum[0][k] += *reinterpret_cast<const Four*>(value + c * most) * x[3 * column[c] + k];
    for (int k = 0; k < 3; ++k) {
      const Four all = (sum[0][k] + sum[1][k]) + (sum[2][k] + sum[3][k]);
      for (int r = 0; r < group.rows; ++r) y[3 * (group.row + r) + k] = all[r];
    }
  }
}

void WideProduct::multiply(const double* x, double* y, ThreadPool& pool) const {
  std::copy_n(x, x_.size(), x_.data());
  pool.parallel(parts(), [&](int part) { multiply_part(part, x_.data(), y); });
}

}  // namespace resilin
