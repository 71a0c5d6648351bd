#include "linear/sparse_matrix.h"

#include <algorithm>
#include <cassert>

namespace resilin {
namespace {

struct Incidence {
  std::vector<int> start, clique;
};

// Which cliques touch a vertex: the transpose of the clique lists.
Incidence cliques_of_vertices(int size, std::span<const int> offset, std::span<const int> vertex) {
  Incidence of;
  of.start.assign(size + 1, 0);
  const int cliques = offset.empty() ? 0 : static_cast<int>(offset.size()) - 1;
  for (int v : vertex) {
    assert(v < size);
    if (v >= 0) ++of.start[v + 1];
  }
  for (int v = 0; v < size; ++v) of.start[v + 1] += of.start[v];
  of.clique.resize(of.start[size]);
  std::vector<int> fill(of.start.begin(), of.start.end() - 1);
  for (int k = 0; k < cliques; ++k)
    for (int e = offset[k]; e < offset[k + 1]; ++e)
      if (vertex[e] >= 0) of.clique[fill[vertex[e]]++] = k;
  return of;
}

void multiply_scalar(const SymmetricMatrix& a, const double* x, double* y) {
  for (int i = 0; i < a.size(); ++i) {
    const double* xi = x + 3 * i;
    double sum[3] = {0, 0, 0};
    for (int s = a.start[i]; s < a.start[i + 1] - 1; ++s) {
      const int j = a.column[s];
      for (int c = 0; c < 3; ++c) sum[c] += a.value[s] * x[3 * j + c];
      for (int c = 0; c < 3; ++c) y[3 * j + c] += a.value[s] * xi[c];
    }
    const double diagonal = a.value[a.start[i + 1] - 1];
    for (int c = 0; c < 3; ++c) y[3 * i + c] += sum[c] + diagonal * xi[c];
  }
}

void multiply_block(const SymmetricMatrix& a, const double* x, double* y) {
  for (int i = 0; i < a.size(); ++i) {
    const int diagonal = a.start[i + 1] - 1;
    for (int s = a.start[i]; s <= diagonal; ++s) {
      const int j = a.column[s];
      const double* m = &a.value[9 * s];
      for (int r = 0; r < 3; ++r)
        y[3 * i + r] += m[3 * r] * x[3 * j] + m[3 * r + 1] * x[3 * j + 1] + m[3 * r + 2] * x[3 * j + 2];
      if (s == diagonal) break;
      for (int r = 0; r < 3; ++r)
        y[3 * j + r] += m[r] * x[3 * i] + m[3 + r] * x[3 * i + 1] + m[6 + r] * x[3 * i + 2];
    }
  }
}

}  // namespace

SymmetricMatrix::SymmetricMatrix(int size, int block, std::span<const int> offset, std::span<const int> vertex)
    : size_(size), block_(block) {
  assert(size >= 0 && (block == 1 || block == 3));
  const Incidence of = cliques_of_vertices(size, offset, vertex);
  start.assign(size + 1, 0);
  column.reserve(of.clique.size() + size);
  std::vector<int> seen_by(size, -1);
  for (int i = 0; i < size; ++i) {
    seen_by[i] = i;
    for (int k = of.start[i]; k < of.start[i + 1]; ++k) {
      const int clique = of.clique[k];
      for (int e = offset[clique]; e < offset[clique + 1]; ++e) {
        const int j = vertex[e];
        if (j < 0 || j >= i || seen_by[j] == i) continue;
        seen_by[j] = i;
        column.push_back(j);
      }
    }
    std::sort(column.begin() + start[i], column.end());
    column.push_back(i);
    start[i + 1] = static_cast<int>(column.size());
  }
  value.assign(column.size() * block * block, 0.0);
}

int SymmetricMatrix::find(int row, int col) const {
  assert(0 <= col && col <= row && row < size_);
  const auto first = column.begin() + start[row], last = column.begin() + start[row + 1];
  const auto at = std::lower_bound(first, last, col);
  return at != last && *at == col ? static_cast<int>(at - column.begin()) : -1;
}

SymmetricMatrix SymmetricMatrix::submatrix(std::span<const int> rows) const {
  SymmetricMatrix out;
  out.size_ = static_cast<int>(rows.size());
  out.block_ = block_;
  const auto values = static_cast<std::ptrdiff_t>(block_) * block_;
  for (const int row : rows) {
    for (int s = start[row]; s < start[row + 1]; ++s) {
      const auto at = std::lower_bound(rows.begin(), rows.end(), column[s]);
      assert(at != rows.end() && *at == column[s]);
      out.column.push_back(static_cast<int>(at - rows.begin()));
      out.value.insert(out.value.end(), value.begin() + s * values, value.begin() + (s + 1) * values);
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

void SymmetricMatrix::clear() { std::fill(value.begin(), value.end(), 0.0); }

void SymmetricMatrix::multiply(const double* x, double* y) const {
  std::fill(y, y + 3 * static_cast<std::size_t>(size_), 0.0);
  if (block_ == 1) multiply_scalar(*this, x, y);
  else multiply_block(*this, x, y);
}

}  // namespace resilin
