#include "solvers/precondition/patch_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "geometry/bisection.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr int most_patches = 32;   // of a component: columns to read in every iteration
constexpr double parallel = 1e-3;  // 1 - cosine of axes that count as one: 2.6 degrees

typedef float Floats __attribute__((vector_size(64)));
constexpr int floats = 16;

// Halves of equal number, down to single vertices.
void order_by_cuts(const std::vector<double>& rest, std::span<int> ids) {
  if (ids.size() < 2) return;
  sort_along_longest(
      ids, [&](int v) { return &rest[3 * v]; }, [](int a, int b) { return a < b; });
  order_by_cuts(rest, ids.first(ids.size() / 2));
  order_by_cuts(rest, ids.subspan(ids.size() / 2));
}

// d -= sum_p z_p load_p for 16 `Packs` vertices from `first`; `count` of them are there. In floats, as columns are.
// Axes 1: loads are numbers along one axis.
template <int Packs, int Axes>
void subtract(std::span<const float* const> z, const float* load, const std::array<double, 3>& axis, int first,
              int count, const int* vertices, double* d) {
  Floats sum[Packs][Axes] = {};
  for (std::size_t p = 0; p < z.size(); ++p)
    for (int i = 0; i < Packs; ++i) {
      const Floats value = *reinterpret_cast<const Floats*>(z[p] + first + i * floats);
      for (int k = 0; k < Axes; ++k) sum[i][k] += value * load[Axes * p + k];
    }
  for (int i = 0; i < Packs; ++i) {
    alignas(64) float out[Axes][floats];
    for (int k = 0; k < Axes; ++k) *reinterpret_cast<Floats*>(out[k]) = sum[i][k];
    const int* ids = vertices + first + i * floats;
    for (int l = 0; l < std::min(floats, count - i * floats); ++l)
      for (std::size_t k = 0; k < 3; ++k)
        d[3 * ids[l] + k] -= Axes == 1 ? axis[k] * out[0][l] : static_cast<double>(out[k % Axes][l]);
  }
}

template <int Axes>
void subtract_all(std::span<const float* const> z, const float* load, const std::array<double, 3>& axis, int first,
                  int end, const int* vertices, double* d) {
  constexpr int packs = 4;  // at a time: loads are read once for all of them
  for (; first + packs * floats <= end; first += packs * floats)
    subtract<packs, Axes>(z, load, axis, first, packs * floats, vertices, d);
  for (; first < end; first += floats) subtract<1, Axes>(z, load, axis, first, end - first, vertices, d);
}

}  // namespace

PrincipalAxes principal_axes(const Symmetric3& k) {
  DenseMatrix full(3, 3), vectors;
  full.value = {k[0], k[1], k[3], k[1], k[2], k[4], k[3], k[4], k[5]};
  const std::vector<double> values = symmetric_eigen(full, vectors);
  PrincipalAxes out;
  for (int i = 0; i < 3; ++i) {
    out.value[i] = values[i];
    for (int c = 0; c < 3; ++c) out.axis[i][c] = vectors(c, i);
  }
  return out;
}

PatchTree::PatchTree(const std::vector<double>& rest, std::vector<int> all, std::vector<int> touchable)
    : vertices(std::move(all)), order(std::move(touchable)) {
  order_by_cuts(rest, order);
  for (const int v : order)
    place.push_back(static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin()));
  ascending.resize(order.size());
  std::iota(ascending.begin(), ascending.end(), 0);
  std::ranges::sort(ascending, {}, [&](int i) { return order[i]; });
}

int PatchTree::column(int first, int last, std::uint64_t clock, bool& anew) {
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [&](const Column& column) { return column.first == first && column.last == last; });
  const auto index = at - columns.begin();
  anew = at == columns.end();
  if (anew) columns.push_back({first, last, clock, {}});
  columns[index].used = clock;
  return static_cast<int>(index);
}

void PatchTree::store(std::span<const double> from, std::size_t axis, Column& column) const {
  column.z.assign((vertices.size() + floats - 1) / floats * floats, 0.0f);
  for (std::size_t v = 0; v < vertices.size(); ++v) column.z[v] = static_cast<float>(from[3 * vertices[v] + axis]);
}

// Nodes of the tree all of whose vertices touch, the largest of them cut down to the depth at which there are
// enough.
void PatchRows::choose(const PatchTree& tree, std::span<const char> touched) {
  struct Node {
    int first, last, depth;
  };
  std::vector<int> before = {0};  // touching vertices in front
  for (const char t : touched) before.push_back(before.back() + (t != 0 ? 1 : 0));
  std::vector<Node> cover, open = {{0, static_cast<int>(tree.order.size()), 0}};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const int size = node.last - node.first, touching = before[node.last] - before[node.first],
              middle = node.first + size / 2;
    if (touching == size) cover.push_back(node);
    if (touching == 0 || touching == size) continue;
    open.push_back({middle, node.last, node.depth + 1});
    open.push_back({node.first, middle, node.depth + 1});
  }
  const auto count_at = [&](int depth) {
    std::int64_t count = 0;
    for (const Node& node : cover)
      count += std::min<std::int64_t>(node.last - node.first,
                                      node.depth < depth ? std::int64_t{1} << std::min(depth - node.depth, 30) : 1);
    return count;
  };
  int depth = 0;
  while (depth < 30 && count_at(depth + 1) <= most_patches) ++depth;
  patches_.clear(), rows_.clear(), mean_.clear();
  open.assign(cover.rbegin(), cover.rend());
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const int size = node.last - node.first, middle = node.first + size / 2;
    if (node.depth >= depth || size == 1) {
      patches_.push_back({node.first, node.last, -1});
      continue;
    }
    open.push_back({middle, node.last, node.depth + 1});
    open.push_back({node.first, middle, node.depth + 1});
  }
  if (std::ssize(patches_) <= most_patches) return;  // else the largest: smoothing sees the rest
  std::stable_sort(patches_.begin(), patches_.end(),
                   [](const Patch& a, const Patch& b) { return a.last - a.first > b.last - b.first; });
  patches_.resize(most_patches);
}

void PatchRows::find_columns(PatchTree& tree, std::uint64_t clock, std::vector<int>& missing) {
  for (Patch& patch : patches_) {
    bool anew = false;
    patch.column = tree.column(patch.first, patch.last, clock, anew);
    if (anew) missing.push_back(patch.column);
  }
}

void PatchRows::make(const PatchTree& tree, std::span<const Symmetric3> stiffness) {
  rows_.clear();
  for (int p = 0; p < std::ssize(patches_); ++p) {
    const Patch& patch = patches_[p];
    Symmetric3 sum{};
    for (int i = patch.first; i < patch.last; ++i)
      for (std::size_t k = 0; k < 6; ++k) sum[k] += stiffness[i][k];
    const PrincipalAxes axes = principal_axes(sum);
    for (std::size_t i = 0; i < 3; ++i)
      if (axes.value[i] > negligible_axis * axes.value[2]) rows_.push_back({p, axes.axis[i], axes.value[i]});
  }
  take_common_axis();
  factorise(tree);
}

// On a plane, and on an obstacle that is nearly one, all rows have one axis.
void PatchRows::take_common_axis() {
  one_axis_ = !rows_.empty() && std::ranges::all_of(rows_, [&](const Row& row) {
    return std::abs(dot(row.axis, rows_[0].axis)) > 1 - parallel;
  });
  for (std::size_t i = 1; one_axis_ && i < rows_.size(); ++i) rows_[i].axis = rows_[0].axis;
}

void PatchRows::factorise(const PatchTree& tree) {
  const std::size_t patches = patches_.size();
  if (mean_.empty()) {
    mean_.resize(patches * patches);
    for (std::size_t p = 0; p < patches; ++p)
      for (std::size_t q = 0; q < patches; ++q) {
        const auto& z = tree.columns[patches_[q].column].z;
        double sum = 0;
        for (int i = patches_[p].first; i < patches_[p].last; ++i) sum += z[tree.place[i]];
        mean_[p * patches + q] = sum / (patches_[p].last - patches_[p].first);
      }
  }
  const auto n = static_cast<int>(rows_.size());
  DenseMatrix c(n, n);
  right_.resize(rows_.size());
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      const Row &a = rows_[i], &b = rows_[j];
      const double cosine = dot(a.axis, b.axis);
      const double pq = 0.5 * (mean_[a.patch * patches + b.patch] + mean_[b.patch * patches + a.patch]);
      c(i, j) = cosine * pq + (i == j ? 1 / a.stiffness : 0);
    }
  if (!capacitance_.factorise(std::move(c))) rows_.clear();  // round-off: A alone is a preconditioner too
}

void PatchRows::find_loads(const PatchTree& tree, const double* d) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const Patch& patch = patches_[row.patch];
    double sum = 0;
    for (int k = patch.first; k < patch.last; ++k) sum += dot(row.axis, vertex_at(d, tree.order[k]));
    right_[i] = sum / (patch.last - patch.first);
  }
  capacitance_.solve(right_);
  const std::size_t axes = one_axis_ ? 1 : 3;
  loads_.assign(axes * patches_.size(), 0.0f);
  for (std::size_t j = 0; j < rows_.size(); ++j)
    for (std::size_t k = 0; k < axes; ++k)
      loads_[axes * rows_[j].patch + k] += static_cast<float>(right_[j] * (axes == 1 ? 1 : rows_[j].axis[k]));
}

void PatchRows::subtract(const PatchTree& tree, int begin, int end, double* d) const {
  const float* z[most_patches];
  for (std::size_t p = 0; p < patches_.size(); ++p) z[p] = tree.columns[patches_[p].column].z.data();
  const auto subtract = one_axis_ ? subtract_all<1> : subtract_all<3>;
  subtract({z, patches_.size()}, loads_.data(), rows_[0].axis, begin, end, tree.vertices.data(), d);
}

}  // namespace resilin
