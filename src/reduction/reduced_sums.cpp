#include "reduction/reduced_sums.h"

#include <algorithm>
#include <array>

#include "geometry/locality_order.h"
#include "linear/dense_kernels.h"

namespace resilin {
namespace {

constexpr int groups = 8;  // of chunks, each summed by one thread
constexpr int least_chunk = 128, most_chunk = 2048;

/// Numbers of some ids, in the order in which they are met.
class Numbering {
 public:
  explicit Numbering(int size) : place_(size, -1) {}
  int operator[](int id) const { return place_[id]; }
  void add(int id) {
    if (place_[id] < 0) place_[id] = size(), ids_.push_back(id);
  }
  void add(std::span<const int> ids) {
    for (const int id : ids) add(id);
  }
  void sort() {
    std::sort(ids_.begin(), ids_.end());
    for (std::size_t i = 0; i < ids_.size(); ++i) place_[ids_[i]] = static_cast<int>(i);
  }
  void clear() {
    for (const int id : ids_) place_[id] = -1;
    ids_.clear();
  }
  const std::vector<int>& ids() const { return ids_; }
  int size() const { return static_cast<int>(ids_.size()); }

 private:
  std::vector<int> place_, ids_;
};

// -a b^T, column-major, both with a vertex or an element in each column.
void outer(const std::vector<double>& a, int rows_a, const std::vector<double>& b, int rows_b, int columns,
           std::vector<double>& out) {
  out.assign(std::size_t(rows_a) * rows_b, 0.0);
  subtract_product(out.data(), rows_a, {a.data(), rows_a, rows_a}, {b.data(), rows_b, rows_b}, columns);
}

/// The columns of U at the vertices of a chunk: those of a handle stand together.
struct Columns {
  Columns(int vertices, int handles) : vertex(vertices), handle(handles) {}
  void clear() { vertex.clear(), handle.clear(); }

  void fill(const PositionSubspace& positions) {
    handle.clear();
    for (const int v : vertex.ids()) handle.add(positions.handles_of(v));
    handle.sort();
    first.assign(1, 0);
    for (const int a : handle.ids()) {
      int count = 0;
      for (int k = 0; k < 4; ++k) count += positions.row(a, k) >= 0 ? 1 : 0;
      first.push_back(first.back() + count);
    }
    size = first.back();
    value.assign(size * vertex.ids().size(), 0.0);
    for (std::size_t i = 0; i < vertex.ids().size(); ++i) {
      const int v = vertex.ids()[i];
      const auto handles = positions.handles_of(v);
      const auto weights = positions.weights_of(v);
      for (std::size_t s = 0; s < handles.size(); ++s) {
        double* to = &value[i * size] + first[handle[handles[s]]];
        for (int k = 0; k < 4; ++k)
          if (positions.row(handles[s], k) >= 0) *to++ = weights[s] * positions.function(handles[s], k, v);
      }
    }
  }

  Numbering vertex, handle;
  std::vector<int> first;  // column of each handle
  int size = 0;
  std::vector<double> value;  // one column of this matrix for each vertex
};

// Adds -c, a matrix on the columns.
void add_pairs(const Columns& u, const PositionSubspace& positions, const std::vector<double>& c, HandlePairs& to) {
  for (int i = 0; i < u.handle.size(); ++i)
    for (int j = 0; j <= i; ++j) {
      std::array<double, 16> block{};
      bool any = false;
      const int a = u.handle.ids()[i], b = u.handle.ids()[j];
      for (int k = 0, row = u.first[i]; k < 4; ++k) {
        if (positions.row(a, k) < 0) continue;
        for (int l = 0, column = u.first[j]; l < 4; ++l) {
          if (positions.row(b, l) < 0) continue;
          const double value = -c[std::size_t(column++) * u.size + row];
          block[4 * k + l] = value;
          any = any || value != 0;
        }
        ++row;
      }
      if (!any) continue;  // they share no vertex
      double* at = to.at(a, b);
      for (std::size_t s = 0; s < 16; ++s) at[s] += block[s];
    }
}

void add_to(HandlePairs& to, const HandlePairs& from) { to.add(from); }
void add_to(DenseMatrix& to, const DenseMatrix& from) {
  for (std::size_t i = 0; i < to.value.size(); ++i) to.value[i] += from.value[i];
}

/// Weights of the elements around a chunk, dense: one column of this matrix for each element.
struct ElementColumns {
  ElementColumns(int elements, int handles) : element(elements), handle(handles) {}
  void fill(const FittedElements& f) {
    handle.clear();
    for (const int i : element.ids())
      for (const int v : f.elements.vertices(i)) handle.add(f.weights.handles_of(v));
    handle.sort();
    const auto size = static_cast<std::size_t>(handle.size());
    value.assign(size * element.ids().size(), 0.0);
    for (std::size_t e = 0; e < element.ids().size(); ++e) {
      double* column = &value[e * size];
      for (const int v : f.elements.vertices(element.ids()[e])) {
        const auto handles = f.weights.handles_of(v);
        const auto weights = f.weights.weights_of(v);
        for (std::size_t s = 0; s < handles.size(); ++s)
          column[handle[handles[s]]] += weights[s] / f.elements.corners();
      }
    }
  }
  Numbering element, handle;
  std::vector<double> value;
};

}  // namespace

void element_weights(const HandleWeights& weights, std::span<const int> corners,
                     std::vector<std::pair<int, double>>& out) {
  out.clear();
  for (const int v : corners) {
    const auto handles = weights.handles_of(v);
    const auto values = weights.weights_of(v);
    for (std::size_t s = 0; s < handles.size(); ++s)
      out.emplace_back(handles[s], values[s] / static_cast<double>(corners.size()));
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < out.size(); ++i) {
    if (out[i].first == out[last].first) out[last].second += out[i].second;
    else out[++last] = out[i];
  }
  out.resize(last + 1);
}

double* HandlePairs::at(int a, int b) {
  const auto [found, made] = place_.try_emplace(key(a, b), value_.size());
  if (made) value_.resize(value_.size() + 16, 0.0);
  return &value_[found->second];
}

const double* HandlePairs::find(int a, int b) const {
  const auto found = place_.find(key(a, b));
  return found == place_.end() ? nullptr : &value_[found->second];
}

void HandlePairs::add(const HandlePairs& other) {
  for (const auto& [a, b] : other.pairs()) {
    double* to = at(a, b);
    const double* from = other.find(a, b);
    for (int s = 0; s < 16; ++s) to[s] += from[s];
  }
}

std::vector<std::pair<int, int>> HandlePairs::pairs() const {
  std::vector<std::pair<int, int>> out;
  for (const auto& [key, place] : place_)
    out.emplace_back(static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu));
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<SymmetricMatrix> symmetric_matrix(const PositionSubspace& positions,
                                              const std::vector<const HandlePairs*>& sums) {
  std::vector<int> offset = {0}, members;
  for (const HandlePairs* sum : sums)
    for (const auto& [a, b] : sum->pairs()) {
      for (const int handle : {a, b})
        for (int k = 0; k < 4; ++k)
          if (positions.row(handle, k) >= 0) members.push_back(positions.row(handle, k));
      offset.push_back(static_cast<int>(members.size()));
    }
  std::vector<SymmetricMatrix> out(sums.size(), SymmetricMatrix(positions.rows(), 1, offset, members));
  for (std::size_t m = 0; m < sums.size(); ++m) set_values(positions, *sums[m], out[m]);
  return out;
}

void set_values(const PositionSubspace& positions, const HandlePairs& sum, SymmetricMatrix& matrix) {
  for (const auto& [a, b] : sum.pairs()) {
    const double* block = sum.find(a, b);
    for (int k = 0; k < 4; ++k)
      for (int l = 0; l < 4; ++l) {
        const int row = positions.row(a, k), column = positions.row(b, l);
        if (row >= 0 && column >= 0 && column <= row) matrix.value[matrix.find(row, column)] = block[4 * k + l];
      }
  }
}

ReducedSums::ReducedSums(const PositionSubspace& positions, ThreadPool& pool) : positions_(positions), pool_(pool) {
  const int n = positions.vertices();
  std::vector<double> x(3 * n);
  for (int v = 0; v < n; ++v)
    for (int k = 0; k < 3; ++k) x[3 * v + k] = positions.rest(v)[k];
  order_ = locality_order(x, n);
  chunk_size_ = std::clamp(n / std::max(1, positions.handles()), least_chunk, most_chunk);
  chunks_ = (n + chunk_size_ - 1) / chunk_size_;
}

std::span<const int> ReducedSums::chunk(int c) const {
  const int first = c * chunk_size_, last = std::min(first + chunk_size_, static_cast<int>(order_.size()));
  return std::span(order_).subspan(first, last - first);
}

// each(chunks, sum) for every group of chunks, of the vertices that have elements (null: of all); groups are added
// in their order.
template <class Sum, class Each>
Sum ReducedSums::sum_chunks(Sum zero, const Adjacency* around, Each&& each) const {
  std::vector<std::vector<int>> own;
  for (int c = 0; c < chunks_; ++c) {
    std::vector<int> vertices;
    for (const int v : chunk(c))
      if (around == nullptr || !(*around)[v].empty()) vertices.push_back(v);
    if (!vertices.empty()) own.push_back(std::move(vertices));
  }
  const auto total = static_cast<int>(own.size()), count = std::min(groups, total);
  std::vector<Sum> part(count, zero);
  pool_.parallel(count, [&](int g) {
    const int first = total * g / count, last = total * (g + 1) / count;
    each(std::span(own).subspan(first, last - first), part[g]);
  });
  for (const Sum& sum : part) add_to(zero, sum);
  return zero;
}

HandlePairs ReducedSums::mass(std::span<const double> mass) const {
  return sum_chunks(HandlePairs(), nullptr, [&](Chunks chunks, HandlePairs& sum) {
    Columns u(positions_.vertices(), positions_.handles());
    std::vector<double> weighed, c;
    for (const std::vector<int>& own : chunks) {
      u.clear(), u.vertex.add(own), u.fill(positions_);
      weighed = u.value;
      for (std::size_t i = 0; i < weighed.size(); ++i) weighed[i] *= mass[u.vertex.ids()[i / u.size]];
      outer(u.value, u.size, weighed, u.size, u.vertex.size(), c);
      add_pairs(u, positions_, c, sum);
    }
  });
}

HandlePairs ReducedSums::stiffness(const Elements& elements, FunctionRef<void(int element, double* q)> stiffness,
                                   Members members) const {
  const Adjacency around = elements_at(elements, positions_.vertices(), members);
  const int rows = elements.rows(), corners = elements.corners();
  // What couples vertex v with its neighbours, in the numbers of the chunk.
  const auto couple = [&](int v, const Numbering& number, std::vector<double>& row, std::vector<int>& met) {
    int before = -1;
    for (const int i : around[v]) {
      if (i == before) continue;  // it has this corner twice
      before = i;
      double q[9] = {}, left[3] = {};
      stiffness(i, q);
      const auto ids = elements.vertices(i);
      const auto c = elements.coefficients(i);
      for (int a = 0; a < corners; ++a)
        for (int r = 0; r < rows && ids[a] == v; ++r)
          for (int s = 0; s < rows; ++s) left[s] += elements.measure(i) * c[r * corners + a] * q[r * rows + s];
      for (int b = 0; b < corners; ++b) {
        double sum = 0;
        for (int s = 0; s < rows; ++s) sum += left[s] * c[s * corners + b];
        const int u = number[ids[b]];
        if (row[u] == 0) met.push_back(u);
        row[u] += sum;
      }
    }
  };
  return sum_chunks(HandlePairs(), &around, [&](Chunks chunks, HandlePairs& sum) {
    Columns u(positions_.vertices(), positions_.handles());
    std::vector<double> product, c, row;
    std::vector<int> met;
    for (const std::vector<int>& own : chunks) {
      u.clear(), u.vertex.add(own);
      for (const int v : own)
        for (const int i : around[v]) u.vertex.add(elements.vertices(i));
      u.fill(positions_);
      const auto size = static_cast<std::size_t>(u.size);
      product.assign(size * own.size(), 0.0);
      row.assign(u.vertex.ids().size(), 0.0);
      for (std::size_t j = 0; j < own.size(); ++j) {
        met.clear();
        couple(own[j], u.vertex, row, met);
        double* to = &product[j * size];
        for (const int other : met) {
          const double l = row[other];
          const double* from = &u.value[other * size];
          row[other] = 0;
          for (std::size_t s = 0; s < size; ++s) to[s] += l * from[s];
        }
      }
      outer(u.value, u.size, product, u.size, static_cast<int>(own.size()), c);
      add_pairs(u, positions_, c, sum);
    }
  });
}

DenseMatrix ReducedSums::forces(const FittedElements& f, Members members) const {
  const Adjacency around = elements_at(f.elements, positions_.vertices(), members);
  const int rows = f.elements.rows(), corners = f.elements.corners();
  // measure k (sum_r c_rv V_r) without the weights of handles.
  const auto moments = [&](int v, int i, double* g) {
    const auto ids = f.elements.vertices(i);
    const auto c = f.elements.coefficients(i);
    const double* p = &f.p[i * 3 * rows];
    std::fill_n(g, 4, 0.0);
    for (int a = 0; a < corners; ++a)
      for (int r = 0; r < rows && ids[a] == v; ++r) {
        const double factor = f.elements.measure(i) * f.k[i] * c[r * corners + a];
        g[0] += factor * f.constant;
        for (int x = 0; x < 3; ++x) g[1 + x] += factor * p[3 * r + x];
      }
  };
  return sum_chunks(DenseMatrix(positions_.rows(), 4 * f.handles), &around, [&](Chunks chunks, DenseMatrix& sum) {
    Columns u(positions_.vertices(), positions_.handles());
    ElementColumns w(f.elements.size(), f.handles);
    std::vector<double> product, c;
    for (const std::vector<int>& own : chunks) {
      u.clear(), w.element.clear();
      u.vertex.add(own);
      for (const int v : own) w.element.add(around[v]);
      u.fill(positions_), w.fill(f);
      const auto size = static_cast<std::size_t>(w.handle.size());
      product.assign(4 * size * own.size(), 0.0);
      for (std::size_t j = 0; j < own.size(); ++j) {
        int before = -1;
        for (const int i : around[own[j]]) {
          if (i == before) continue;
          before = i;
          double g[4];
          moments(own[j], i, g);
          const double* weight = &w.value[w.element[i] * size];
          for (std::size_t q = 0; q < 4; ++q)
            for (std::size_t s = 0; s < size; ++s) product[(4 * j + q) * size + s] += g[q] * weight[s];
        }
      }
      outer(u.value, u.size, product, static_cast<int>(4 * size), static_cast<int>(own.size()), c);
      for (int i = 0; i < u.handle.size(); ++i)
        for (int k = 0, row = u.first[i]; k < 4; ++k) {
          const int to = positions_.row(u.handle.ids()[i], k);
          if (to < 0) continue;
          for (std::size_t q = 0; q < 4; ++q)
            for (std::size_t s = 0; s < size; ++s)
              sum(to, 4 * w.handle.ids()[s] + static_cast<int>(q)) -= c[(q * size + s) * u.size + row];
          ++row;
        }
    }
  });
}

// sum_i measure w_ij w_ij' P_i with P_i = sum_r {c, p_r} {c, p_r}^T: one weighted product for each of the ten
// entries of P.
DenseMatrix ReducedSums::gram(const FittedElements& f) const {
  const Adjacency around = elements_at(f.elements, positions_.vertices());
  const int rows = f.elements.rows();
  return sum_chunks(DenseMatrix(4 * f.handles, 4 * f.handles), &around, [&](Chunks chunks, DenseMatrix& sum) {
    ElementColumns w(f.elements.size(), f.handles);
    std::vector<double> weighed, c;
    std::vector<std::array<double, 16>> square;
    for (const std::vector<int>& own : chunks) {
      w.element.clear();
      for (const int v : own)
        for (const int i : around[v])
          if (f.elements.vertices(i)[0] == v) w.element.add(i);
      if (w.element.size() == 0) continue;
      w.fill(f);
      const int size = w.handle.size();
      square.assign(w.element.ids().size(), {});
      for (std::size_t e = 0; e < square.size(); ++e) {
        const int i = w.element.ids()[e];
        for (int r = 0; r < rows; ++r) {
          const double* p = &f.p[i * 3 * rows + 3 * r];
          const double v[4] = {f.constant, p[0], p[1], p[2]};
          for (std::size_t s = 0; s < 16; ++s) square[e][s] += f.elements.measure(i) * v[s / 4] * v[s % 4];
        }
      }
      for (int q = 0; q < 4; ++q)
        for (int t = 0; t <= q; ++t) {
          weighed = w.value;
          for (std::size_t s = 0; s < weighed.size(); ++s) weighed[s] *= square[s / size][4 * q + t];
          outer(w.value, size, weighed, size, w.element.size(), c);
          for (int a = 0; a < size; ++a)
            for (int b = 0; b < size; ++b) {
              const double value = -c[b * size + a];
              const int row = 4 * w.handle.ids()[a], column = 4 * w.handle.ids()[b];
              sum(row + q, column + t) += value;
              if (q != t) sum(row + t, column + q) += value;
            }
        }
    }
  });
}

}  // namespace resilin
