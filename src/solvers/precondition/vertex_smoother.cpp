#include "solvers/precondition/vertex_smoother.h"

#include <algorithm>
#include <iterator>

#include "simd/pack.h"

namespace resilin {
namespace {

constexpr int sweeps = 2;  // before and after

typedef double Row __attribute__((vector_size(32)));
Row* rows(AlignedVector<double>& x) { return reinterpret_cast<Row*>(x.data()); }
Row read(const double* x, int vertex) {
  const double* at = x + 3 * vertex;
  return Row{at[0], at[1], at[2], 0};
}
void write(Row value, double* x, int vertex) {
  for (std::size_t k = 0; k < 3; ++k) x[3 * vertex + k] = value[k];
}

// sum of value x[column] over a row; two sums, so that additions do not wait for each other.
template <class Sparse>
Row product(const Sparse& a, std::size_t i, const Row* x) {
  Row even = {}, odd = {};
  const int *c = a.column.data(), end = a.start[i + 1];
  const double* v = a.value.data();
  int s = a.start[i];
  for (; s + 1 < end; s += 2) even += v[s] * x[c[s]], odd += v[s + 1] * x[c[s + 1]];
  if (s < end) even += v[s] * x[c[s]];
  return even + odd;
}
Row times(const Row* columns, Row x) { return columns[0] * x[0] + columns[1] * x[1] + columns[2] * x[2]; }

}  // namespace

Symmetric3 inverse(const Symmetric3& k) {
  const Symmetric3 adjugate = {k[2] * k[5] - k[4] * k[4], k[3] * k[4] - k[1] * k[5], k[0] * k[5] - k[3] * k[3],
                               k[1] * k[4] - k[2] * k[3], k[1] * k[3] - k[0] * k[4], k[0] * k[2] - k[1] * k[1]};
  const double determinant = k[0] * adjugate[0] + k[1] * adjugate[1] + k[3] * adjugate[3];
  Symmetric3 out;
  for (std::size_t i = 0; i < 6; ++i) out[i] = adjugate[i] / determinant;
  return out;
}

NeighbourMatrix neighbour_matrix(Problem& problem) {
  const SymmetricMatrix a = problem.constant().matrix();
  std::vector<int> vertex_of;
  for (int v = 0; v < problem.space().vertices(); ++v)
    if (problem.space().free_index()[v] >= 0) vertex_of.push_back(v);
  const auto each = [&](auto visit) {
    for (int row = 0; row < a.size(); ++row)
      for (int s = a.start[row]; s < a.start[row + 1] - 1; ++s) {
        visit(vertex_of[row], vertex_of[a.column[s]], a.value[s]);
        visit(vertex_of[a.column[s]], vertex_of[row], a.value[s]);
      }
  };
  NeighbourMatrix out;
  auto& [start, column, value, diagonal] = out;
  diagonal.assign(problem.space().vertices(), 0.0);
  for (int row = 0; row < a.size(); ++row) diagonal[vertex_of[row]] = a.value[a.start[row + 1] - 1];
  start.assign(diagonal.size() + 1, 0);
  each([&](int v, int, double) { ++start[v + 1]; });
  for (std::size_t v = 0; v < diagonal.size(); ++v) start[v + 1] += start[v];
  column.resize(start.back());
  value.resize(column.size());
  std::vector<int> next(start.begin(), start.end() - 1);
  each([&](int v, int w, double entry) { column[next[v]] = w, value[next[v]++] = entry; });
  return out;
}

void VertexSmoother::set(std::span<const Point> points, const NeighbourMatrix& a, bool anew,
                         std::span<const PairStiffness> pairs) {
  const auto vertex = [](const Point& point) { return point.vertex; };
  if (anew || !std::ranges::equal(points, vertices_, {}, vertex)) {
    vertices_.clear();
    std::ranges::transform(points, std::back_inserter(vertices_), vertex);
    find_neighbours(a);
  }
  take_pairs(pairs);
  inverse_.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    Symmetric3 whole = points[i].stiffness;
    for (const std::size_t k : {0, 2, 5}) whole[k] += a.diagonal[points[i].vertex];
    for (int s = of_pairs_.start[i]; s < of_pairs_.start[i + 1]; ++s)
      for (std::size_t k = 0; k < 6; ++k)
        whole[k] += of_pairs_.value[s] * of_pairs_.value[s] * pairs[of_pairs_.column[s]].hessian[k];
    const Symmetric3 of = inverse(whole);
    inverse_.insert(inverse_.end(), {of[0], of[1], of[3], 0, of[1], of[2], of[4], 0, of[3], of[4], of[5], 0});
  }
}

void VertexSmoother::take_pairs(std::span<const PairStiffness> pairs) {
  auto& [start, column, value] = of_pairs_;
  start.assign(vertices_.size() + 1, 0), column.clear(), value.clear();
  hessian_.clear();
  const auto each = [&](auto visit) {
    for (std::size_t p = 0; p < pairs.size(); ++p)
      for (std::size_t i = 0; i < 4; ++i)
        if (const int place = place_[pairs[p].vertices[i]];
            place >= 0 && place < static_cast<int>(vertices_.size()))
          visit(place, static_cast<int>(p), pairs[p].weight[i]);
  };
  each([&](int place, int, double) { ++start[place + 1]; });
  for (std::size_t i = 0; i < vertices_.size(); ++i) start[i + 1] += start[i];
  column.resize(start.back()), value.resize(column.size());
  std::vector<int> next(start.begin(), start.end() - 1);
  each([&](int place, int pair, double weight) { column[next[place]] = pair, value[next[place]++] = weight; });
  for (const auto& [ids, weight, normal, stiffness, tangential, h] : pairs)
    hessian_.insert(hessian_.end(), {h[0], h[1], h[3], 0, h[1], h[2], h[4], 0, h[3], h[4], h[5], 0});
  sum_.assign(4 * pairs.size(), 0.0), seen_.assign(4 * column.size(), 0.0);
}

void VertexSmoother::find_neighbours(const NeighbourMatrix& a) {
  const int count = static_cast<int>(vertices_.size());
  place_.assign(a.diagonal.size(), -1);
  for (int i = 0; i < count; ++i) place_[vertices_[i]] = i;
  const auto each = [&](int vertex, auto visit) {
    for (int s = a.start[vertex]; s < a.start[vertex + 1]; ++s) visit(a.column[s], a.value[s]);
  };
  ring_.clear();
  for (const int v : vertices_)
    each(v, [&](int other, double) {
      int& place = place_[other];
      if (place < 0) place = count, ring_.push_back(other);
    });
  std::sort(ring_.begin(), ring_.end());
  for (std::size_t i = 0; i < ring_.size(); ++i) place_[ring_[i]] = count + static_cast<int>(i);
  before_.clear(), after_.clear(), beside_.clear(), to_points_.clear();
  for (int own = 0; own < count; ++own) {
    each(vertices_[own], [&](int other, double value) {
      const int place = place_[other];
      if (place >= count) beside_.add(place - count, value);
      else (place < own ? before_ : after_).add(place, value);
    });
    before_.end_row(), after_.end_row(), beside_.end_row();
  }
  for (const int v : ring_) {
    each(v, [&](int other, double value) {
      const int place = place_[other];
      if (place >= 0 && place < count) to_points_.add(place, value);
    });
    to_points_.end_row();
  }
  for (auto* of_points : {&right_, &z_, &change_}) of_points->assign(4 * vertices_.size(), 0.0);
  outside_.assign(4 * ring_.size(), 0.0);
}

// The sums of pairs follow when point i moves.
void VertexSmoother::move(std::size_t i, bool note) {
  const Row by = rows(change_)[i];
  Row *sum = rows(sum_), *seen = rows(seen_);
  for (int s = of_pairs_.start[i]; s < of_pairs_.start[i + 1]; ++s) {
    sum[of_pairs_.column[s]] += of_pairs_.value[s] * by;
    if (note) seen[s] = sum[of_pairs_.column[s]];
  }
}

// What is left of r at a point, but for what pairs and neighbours take of it, inverted.
void VertexSmoother::visit(std::size_t i, bool after) {
  Row *z = rows(z_), *sum = rows(sum_);
  Row left = rows(right_)[i] - product(before_, i, z);
  if (after) left -= product(after_, i, z);
  for (int s = of_pairs_.start[i]; s < of_pairs_.start[i + 1]; ++s) {
    const double w = of_pairs_.value[s];
    left -= w * times(rows(hessian_) + 3 * of_pairs_.column[s], sum[of_pairs_.column[s]] - w * z[i]);
  }
  const Row now = times(rows(inverse_) + 3 * i, left);
  rows(change_)[i] = now - z[i], z[i] = now;
}

// The last sweep leaves of r - A' z at a point what points after it have changed since it was visited.
void VertexSmoother::forward(double* load) {
  const std::size_t count = vertices_.size();
  Row *z = rows(z_), *sum = rows(sum_), *seen = rows(seen_);
  for (std::size_t i = 0; i < count; ++i) rows(right_)[i] = read(load, vertices_[i]), z[i] = Row{};
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = 0; i < count; ++i) visit(i, sweep > 0), move(i, sweep + 1 == sweeps);
  for (std::size_t i = 0; i < count; ++i) {
    Row left = -product(after_, i, rows(change_));
    for (int s = of_pairs_.start[i]; s < of_pairs_.start[i + 1]; ++s)
      left -=
          of_pairs_.value[s] * times(rows(hessian_) + 3 * of_pairs_.column[s], sum[of_pairs_.column[s]] - seen[s]);
    write(left, load, vertices_[i]);
  }
  for (std::size_t i = 0; i < ring_.size(); ++i)
    write(read(load, ring_[i]) - product(to_points_, i, z), load, ring_[i]);
}

void VertexSmoother::backward(double* d) {
  const std::size_t count = vertices_.size();
  Row *z = rows(z_), *outside = rows(outside_);
  for (std::size_t i = 0; i < ring_.size(); ++i) outside[i] = read(d, ring_[i]);
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    z[i] += read(d, vertices_[i]);
    rows(change_)[i] = z[i], move(i, false);
    rows(right_)[i] -= product(beside_, i, outside);
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = count; i-- > 0;) visit(i, true), move(i, false);
  for (std::size_t i = 0; i < count; ++i) write(z[i], d, vertices_[i]);
}

}  // namespace resilin
