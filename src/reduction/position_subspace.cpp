#include "reduction/position_subspace.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "geometry/vec3.h"
#include "linear/ordering.h"
#include "linear/supernodal_cholesky.h"
#include "reduction/reduced_sums.h"
#include "resilin/watch.h"
#include "simd/eigen3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

struct Entry {
  int row;
  double value;
};

// Columns of L that row k has an entry in, ascending: the paths up the elimination tree from the entries of the
// matrix (Davis 2006, Sec. 4.2).
void find_reachable(const std::vector<Entry>& entries, int k, const std::vector<int>& parent,
                    std::vector<int>& seen_by, std::vector<int>& out) {
  out.clear();
  seen_by[k] = k;
  for (const Entry& entry : entries)
    for (int i = entry.row; i >= 0 && i < k && seen_by[i] != k; i = parent[i]) seen_by[i] = k, out.push_back(i);
  std::sort(out.begin(), out.end());
}

// Which columns of a sparse basis are needed, by its Gram matrix with 1 x 1 blocks, column by column of a
// fill-reducing order: 0 where less than `tolerance` of the square of a column is left by those before it. A sparse
// Cholesky factorisation, row by row, that passes over such columns.
std::vector<char> independent_rows(const SymmetricMatrix& gram, double tolerance) {
  const int n = gram.size();
  const Graph graph = graph_of(gram);
  const std::vector<int> order = fill_reducing_order(graph), place = inverse(order);
  const std::vector<int> parent = elimination_tree(permuted(graph, order));
  std::vector<std::vector<Entry>> matrix(n), columns(n);  // lower triangle by rows in the new order; L by columns
  std::vector<double> square(n), root(n, 0.0), x(n, 0.0);
  for (int i = 0; i < n; ++i)
    for (int s = gram.start[i]; s < gram.start[i + 1]; ++s) {
      const int a = place[i], b = place[gram.column[s]];
      if (a == b) square[a] = gram.value[s];
      else matrix[std::max(a, b)].push_back({std::min(a, b), gram.value[s]});
    }
  std::vector<char> kept(n, 0);
  std::vector<int> seen_by(n, -1), in;
  std::vector<Entry> row;
  for (int k = 0; k < n; ++k) {
    find_reachable(matrix[k], k, parent, seen_by, in);
    for (const Entry& entry : matrix[k]) x[entry.row] = entry.value;
    double left = square[k];
    row.clear();
    for (const int i : in) {
      const double value = root[i] > 0 ? x[i] / root[i] : 0;
      x[i] = 0;
      if (value == 0) continue;
      for (const Entry& below : columns[i]) x[below.row] -= below.value * value;
      left -= value * value;
      row.push_back({i, value});
    }
    if (!(left > tolerance * square[k])) continue;
    root[k] = std::sqrt(left);
    kept[order[k]] = 1;
    for (const Entry& entry : row) columns[entry.row].push_back({k, entry.value});
  }
  return kept;
}

// Less than this of a body's size, or of the largest extent of a handle's support, is round-off: the support is
// flat.
constexpr double flat_of_body = 1e-12, flat_of_support = 1e-9;
// Of the square of a column that earlier ones do not span. Round-off leaves about 1e-15 of a dependent one.
constexpr double dependent = 1e-12;
constexpr int part_vertices = 256, most_parts = 16;

int parts_of(int size) { return std::clamp(size / part_vertices, 1, most_parts); }
int part_begin(int size, int part) {
  return static_cast<int>(static_cast<std::int64_t>(size) * part / parts_of(size));
}

// The affine map of a handle is two packs: offset and x-column, y-column and z-column. What they are multiplied
// with at Y:
struct Factors {
  explicit Factors(const double* y)
      : low{1, 1, 1, 1, y[0], y[0], y[0], y[0]}, high{y[1], y[1], y[1], y[1], y[2], y[2], y[2], y[2]} {}
  Pack low, high;
};

// x = sum_a w_a (map_a applied to Y) of entry i of the table.
template <int stride>
RESILIN_INLINE void lift_entry(const LiftTable& table, const double* maps, int i, double* to) {
  Pack low = {}, high = {};
  for (std::int64_t s = table.start[i]; s < table.start[i + 1]; ++s) {
    const double* map = maps + 16 * table.handle[s];
    const double w = table.weight[s];
    low += w * load(map), high += w * load(map + 8);
  }
  const Factors at(&table.rest[4 * i]);
  alignas(64) double sum[8];
  store(sum, low * at.low + high * at.high);
  for (int k = 0; k < stride; ++k) to[k] = sum[k] + sum[k + 4];
}

template <int stride>
void lift_all(const LiftTable& table, const double* maps, double* x, ThreadPool& pool) {
  const int size = table.vertices();
  pool.parallel(parts_of(size), [&](int part) {
    for (int i = part_begin(size, part); i < part_begin(size, part + 1); ++i)
      lift_entry<stride>(table, maps, i, x + stride * i);
  });
}

// The transpose: moments of every handle, summed part by part. The result stands in the first part's.
template <int stride>
void sum_moments(const LiftTable& table, int handles, const double* f, AlignedVector<double>& moments,
                 ThreadPool& pool) {
  const int size = table.vertices(), parts = parts_of(size);
  const std::size_t each = 16 * handles;
  moments.resize(each * parts);
  pool.parallel(parts, [&](int part) {
    double* own = moments.data() + each * part;
    std::fill_n(own, each, 0.0);
    for (int v = part_begin(size, part); v < part_begin(size, part + 1); ++v) {
      const double* from = f + stride * v;
      const Factors at(&table.rest[4 * v]);
      const Pack force = {from[0], from[1], from[2], 0, from[0], from[1], from[2], 0};
      const Pack low = force * at.low, high = force * at.high;
      for (std::int64_t s = table.start[v]; s < table.start[v + 1]; ++s) {
        double* to = own + 16 * table.handle[s];
        store(to, load(to) + table.weight[s] * low);
        store(to + 8, load(to + 8) + table.weight[s] * high);
      }
    }
  });
  for (int part = 1; part < parts; ++part)
    for (std::size_t i = 0; i < each; ++i) moments[i] += moments[each * part + i];
}

}  // namespace

PositionSubspace::PositionSubspace(std::span<const double> rest, std::span<const double> mass,
                                   const HandleWeights& weights, int handles, ThreadPool& pool, int modes)
    : frame_(handles) {
  const std::size_t n = mass.size();
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t k = 0; k < 3; ++k) origin_[k] += rest[3 * v + k] / static_cast<double>(n);
  static_cast<HandleWeights&>(table_) = weights;
  table_.rest.assign(4 * n, 0.0);
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t k = 0; k < 3; ++k) table_.rest[4 * v + k] = rest[3 * v + k] - origin_[k];
  find_frames(mass);
  for (auto frame = frame_.end() - modes; frame != frame_.end(); ++frame) frame->axis = {};
  find_rows(mass, pool);
}

double PositionSubspace::function(int handle, int k, int v) const {
  if (k == 0) return 1;
  const Frame& frame = frame_[handle];
  const double* y = &table_.rest[4 * v];
  return dot(frame.axis[k - 1], Vec3{y[0], y[1], y[2]} - frame.centre);
}

// Mean and principal axes of each support.
void PositionSubspace::find_frames(std::span<const double> mass) {
  std::vector<double> total(frame_.size(), 0.0), second(6 * frame_.size(), 0.0);
  double extent = 0;
  const auto each = [&](auto visit) {
    for (int v = 0; v < vertices(); ++v)
      for (std::int64_t s = table_.start[v]; s < table_.start[v + 1]; ++s)
        visit(table_.handle[s], mass[v] * table_.weight[s] * table_.weight[s], &table_.rest[4 * v]);
  };
  for (Frame& frame : frame_) frame.centre = {0, 0, 0};
  each([&](int a, double m, const double* y) {
    total[a] += m;
    for (int k = 0; k < 3; ++k) frame_[a].centre[k] += m * y[k], extent = std::max(extent, std::abs(y[k]));
  });
  for (std::size_t a = 0; a < frame_.size(); ++a)
    for (double& c : frame_[a].centre) c /= total[a];
  each([&](int a, double m, const double* y) {
    const auto& c = frame_[a].centre;
    const double d[3] = {y[0] - c[0], y[1] - c[1], y[2] - c[2]};
    double* h = &second[6 * a];
    h[0] += m * d[0] * d[0], h[1] += m * d[1] * d[1], h[2] += m * d[2] * d[2];
    h[3] += m * d[1] * d[2], h[4] += m * d[2] * d[0], h[5] += m * d[0] * d[1];
  });
  for (std::size_t a = 0; a < frame_.size(); ++a) {
    double d[3], q[9];
    for (std::size_t i = 0; i < 6; ++i) second[6 * a + i] /= total[a];
    eigen3(&second[6 * a], d, q);
    for (std::size_t k = 0; k < 3; ++k) frame_[a].axis[k] = {q[k], q[3 + k], q[6 + k]};
  }
  // Eigenvalues are as exact as the largest; sums along the axes tell a small deviation from none.
  std::vector<double> square(3 * frame_.size(), 0.0);
  each([&](int a, double m, const double* y) {
    const auto& c = frame_[a].centre;
    for (std::size_t k = 0; k < 3; ++k) {
      const double along = dot(frame_[a].axis[k], Vec3{y[0], y[1], y[2]} - c);
      square[3 * a + k] += m * along * along;
    }
  });
  for (std::size_t a = 0; a < frame_.size(); ++a) {
    const double* of = &square[3 * a];
    const double widest = std::sqrt(std::max({of[0], of[1], of[2]}) / total[a]);
    for (std::size_t k = 0; k < 3; ++k) {
      const double deviation = std::sqrt(of[k] / total[a]);
      const bool flat = !(deviation > std::max(flat_of_support * widest, flat_of_body * extent));
      for (double& x : frame_[a].axis[k]) x = flat ? 0 : x / deviation;
    }
  }
}

// A fixed order bounds what is left of each column, not the condition of all: in the rare case that they cannot be
// factorised the bound grows.
void PositionSubspace::find_rows(std::span<const double> mass, ThreadPool& pool) {
  watch_begin("independent columns");
  const auto number = [&](auto wanted) {
    rows_ = 0;
    for (Frame& frame : frame_)
      for (int k = 0; k < 4; ++k) {
        frame.row[k] = wanted(frame, k) ? rows_++ : -1;
        if (k > 0 && frame.row[k] < 0) frame.axis[k - 1] = {0, 0, 0};
      }
    const HandlePairs pairs = ReducedSums(*this, pool).mass(mass);
    mass_ = symmetric_matrix(*this, {&pairs})[0];
  };
  number([](const Frame& frame, int k) { return k == 0 || frame.axis[k - 1] != std::array<double, 3>{0, 0, 0}; });
  for (double tolerance = dependent; tolerance < 1; tolerance *= 100) {
    const std::vector<char> kept = independent_rows(mass_, tolerance);
    if (std::any_of(kept.begin(), kept.end(), [](char yes) { return yes == 0; }))
      number([&](const Frame& frame, int k) { return frame.row[k] >= 0 && kept[frame.row[k]] != 0; });
    if (factorise(pool)) return;
  }
  assert(false);  // nothing is independent
}

bool PositionSubspace::factorise(ThreadPool& pool) {
  factor_ = std::make_unique<SupernodalCholesky<double>>();
  factor_->analyse(mass_);
  return factor_->factorise(mass_, pool).positive_definite;
}

void PositionSubspace::maps(const double* q, double* maps) const {
  for (std::size_t a = 0; a < frame_.size(); ++a) {
    const Frame& frame = frame_[a];
    double* map = maps + 16 * a;
    std::fill_n(map, 16, 0.0);
    if (frame.row[0] >= 0) std::copy_n(q + 3 * frame.row[0], 3, map);
    for (std::size_t k = 1; k < 4; ++k) {
      if (frame.row[k] < 0) continue;
      const double* from = q + 3 * frame.row[k];
      const auto& axis = frame.axis[k - 1];
      const double shift = dot(axis, frame.centre);
      for (std::size_t i = 0; i < 3; ++i) {
        map[i] -= shift * from[i];
        for (std::size_t l = 0; l < 3; ++l) map[4 * l + 4 + i] += axis[l] * from[i];
      }
    }
  }
}

void PositionSubspace::add_moments(const double* moments, double* g) const {
  for (std::size_t a = 0; a < frame_.size(); ++a) {
    const Frame& frame = frame_[a];
    const double* moment = moments + 16 * a;
    for (std::size_t k = 0; k < 4; ++k) {
      if (frame.row[k] < 0) continue;
      double* to = g + 3 * frame.row[k];
      if (k == 0) {
        for (std::size_t i = 0; i < 3; ++i) to[i] += moment[i];
        continue;
      }
      const auto& axis = frame.axis[k - 1];
      for (std::size_t l = 0; l < 3; ++l)
        for (std::size_t i = 0; i < 3; ++i)
          to[i] += axis[l] * (moment[4 * l + 4 + i] - frame.centre[l] * moment[i]);
    }
  }
}

void PositionSubspace::lift(const double* q, double* x, ThreadPool& pool) const {
  maps_.resize(16 * frame_.size());
  maps(q, maps_.data());
  lift_all<3>(table_, maps_.data(), x, pool);
}

void PositionSubspace::pull_back(const double* f, double* g, ThreadPool& pool) const {
  sum_moments<3>(table_, handles(), f, moments_, pool);
  std::fill_n(g, 3 * rows_, 0.0);
  add_moments(moments_.data(), g);
}

void PositionSubspace::project(std::span<const double> mass, const double* x, double* q, ThreadPool& pool) const {
  std::vector<double> momentum(3 * mass.size());
  for (std::size_t v = 0; v < mass.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) momentum[3 * v + k] = mass[v] * x[3 * v + k];
  pull_back(momentum.data(), q, pool);
  solve_mass(q, q, pool);
  // Columns overlap much, so a second round has digits to gain.
  std::vector<double> there(momentum.size()), correction(3 * rows_);
  lift(q, there.data(), pool);
  for (std::size_t v = 0; v < mass.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) momentum[3 * v + k] = mass[v] * (x[3 * v + k] - there[3 * v + k]);
  pull_back(momentum.data(), correction.data(), pool);
  solve_mass(correction.data(), correction.data(), pool);
  for (std::size_t i = 0; i < correction.size(); ++i) q[i] += correction[i];
}

PartialLift::PartialLift(const PositionSubspace& subspace, std::span<const int> vertices) : subspace_(&subspace) {
  for (const int v : vertices) {
    table_.append(subspace.table_, v), table_.end_vertex();
    const double* y = &subspace.table_.rest[4 * v];
    table_.rest.insert(table_.rest.end(), y, y + 4);
  }
  maps_.resize(16 * subspace.handles());
}

void PartialLift::lift_part(int first, int last, double* rows) const {
  for (int i = first; i < last; ++i) lift_entry<4>(table_, maps_.data(), i, rows + 4 * (i - first));
}

void PartialLift::lift(const double* q, double* rows, ThreadPool& pool) const {
  begin(q);
  lift_all<4>(table_, maps_.data(), rows, pool);
}

void PartialLift::add_pull_back(const double* rows, double* g, ThreadPool& pool) const {
  sum_moments<4>(table_, subspace_->handles(), rows, moments_, pool);
  subspace_->add_moments(moments_.data(), g);
}

}  // namespace resilin
