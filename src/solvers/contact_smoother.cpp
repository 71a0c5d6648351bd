#include "solvers/contact_smoother.h"

#include <algorithm>
#include <iterator>

#include "simd/pack.h"

namespace resilin {
namespace {

constexpr int sweeps = 2;  // before and after

typedef double Row __attribute__((vector_size(32)));
Row* rows(AlignedVector<double>& x) { return reinterpret_cast<Row*>(x.data()); }
Row read(const double* x, int vertex) {
  const double* at = x + 3 * static_cast<std::size_t>(vertex);
  return Row{at[0], at[1], at[2], 0};
}
void write(Row value, double* x, int vertex) {
  for (std::size_t k = 0; k < 3; ++k) x[3 * static_cast<std::size_t>(vertex) + k] = value[k];
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

void ContactSmoother::set(std::span<const Point> points, const NeighbourMatrix& a, bool anew) {
  const auto vertex = [](const Point& point) { return point.vertex; };
  if (anew || !std::ranges::equal(points, vertices_, {}, vertex)) {
    vertices_.clear();
    std::ranges::transform(points, std::back_inserter(vertices_), vertex);
    find_neighbours(a);
  }
  inverse_.clear();
  for (const Point& point : points) {
    Symmetric3 whole = point.stiffness;
    for (const std::size_t k : {0, 2, 5}) whole[k] += a.diagonal[static_cast<std::size_t>(point.vertex)];
    const Symmetric3 of = inverse(whole);
    inverse_.insert(inverse_.end(), {of[0], of[1], of[3], 0, of[1], of[2], of[4], 0, of[3], of[4], of[5], 0});
  }
}

void ContactSmoother::find_neighbours(const NeighbourMatrix& a) {
  const int count = static_cast<int>(vertices_.size());
  place_.assign(a.diagonal.size(), -1);
  for (int i = 0; i < count; ++i) place_[static_cast<std::size_t>(vertices_[static_cast<std::size_t>(i)])] = i;
  const auto each = [&](int vertex, auto visit) {
    for (int s = a.start[static_cast<std::size_t>(vertex)]; s < a.start[static_cast<std::size_t>(vertex) + 1]; ++s)
      visit(a.column[static_cast<std::size_t>(s)], a.value[static_cast<std::size_t>(s)]);
  };
  ring_.clear();
  for (const int v : vertices_)
    each(v, [&](int other, double) {
      int& place = place_[static_cast<std::size_t>(other)];
      if (place < 0) place = count, ring_.push_back(other);
    });
  std::sort(ring_.begin(), ring_.end());
  for (std::size_t i = 0; i < ring_.size(); ++i)
    place_[static_cast<std::size_t>(ring_[i])] = count + static_cast<int>(i);
  before_.clear(), after_.clear(), beside_.clear(), to_points_.clear();
  for (int own = 0; own < count; ++own) {
    each(vertices_[static_cast<std::size_t>(own)], [&](int other, double value) {
      const int place = place_[static_cast<std::size_t>(other)];
      if (place >= count) beside_.add(place - count, value);
      else (place < own ? before_ : after_).add(place, value);
    });
    before_.end_row(), after_.end_row(), beside_.end_row();
  }
  for (const int v : ring_) {
    each(v, [&](int other, double value) {
      const int place = place_[static_cast<std::size_t>(other)];
      if (place >= 0 && place < count) to_points_.add(place, value);
    });
    to_points_.end_row();
  }
  for (auto* of_points : {&right_, &z_, &change_}) of_points->assign(4 * vertices_.size(), 0.0);
  outside_.assign(4 * ring_.size(), 0.0);
}

// The last sweep leaves of r - A' z at a point what points after it have changed since it was visited.
void ContactSmoother::forward(double* load) {
  const std::size_t count = vertices_.size();
  Row *right = rows(right_), *z = rows(z_), *change = rows(change_);
  const Row* inverses = rows(inverse_);
  for (std::size_t i = 0; i < count; ++i) right[i] = read(load, vertices_[i]), z[i] = Row{};
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = 0; i < count; ++i) {
      Row left = right[i] - product(before_, i, z);
      if (sweep > 0) left -= product(after_, i, z);
      const Row now = times(inverses + 3 * i, left);
      change[i] = now - z[i], z[i] = now;
    }
  for (std::size_t i = 0; i < count; ++i) write(-product(after_, i, change), load, vertices_[i]);
  for (std::size_t i = 0; i < ring_.size(); ++i)
    write(read(load, ring_[i]) - product(to_points_, i, z), load, ring_[i]);
}

void ContactSmoother::backward(double* d) {
  const std::size_t count = vertices_.size();
  Row *right = rows(right_), *z = rows(z_), *outside = rows(outside_);
  const Row* inverses = rows(inverse_);
  for (std::size_t i = 0; i < ring_.size(); ++i) outside[i] = read(d, ring_[i]);
  for (std::size_t i = 0; i < count; ++i) {
    z[i] += read(d, vertices_[i]);
    right[i] -= product(beside_, i, outside);
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = count; i-- > 0;)
      z[i] = times(inverses + 3 * i, right[i] - product(before_, i, z) - product(after_, i, z));
  for (std::size_t i = 0; i < count; ++i) write(z[i], d, vertices_[i]);
}

}  // namespace resilin
