#include "solvers/contact_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "linear/dense_kernels.h"
#include "simd/pack.h"
#include "solvers/coarse_basis.h"

namespace resilin {
namespace {

constexpr int most_patches = 32;    // of a component: columns to read in every iteration
constexpr int most_columns = 256;   // kept
constexpr char remembered = 8;      // updates for which a vertex counts that does not touch any more
constexpr double renewed = 0.05;    // new rows when so many of the touching vertices are others
constexpr double patiently = 0.25;  // the same, where that is costly
constexpr double stiffer = 0.1;     // or their stiffness has changed by so much
constexpr double slight = 1e-6;     // of the stiffest axis of a patch: left out
constexpr double parallel = 1e-3;   // 1 - cosine of axes that count as one: 2.6 degrees
constexpr int most_patience = 3;    // iterations without a look
constexpr int chunk_vertices = 1024;

typedef float Floats __attribute__((vector_size(64)));
constexpr int floats = 16;

// Bisection across the longest extent, at the middle vertex; ties keep the order of vertices.
void bisect(const std::vector<double>& rest, std::span<int> ids) {
  if (ids.size() < 2) return;
  std::array<double, 3> low, high;
  for (int k = 0; k < 3; ++k) low[k] = high[k] = rest[3 * ids[0] + k];
  for (const int v : ids)
    for (int k = 0; k < 3; ++k)
      low[k] = std::min(low[k], rest[3 * v + k]), high[k] = std::max(high[k], rest[3 * v + k]);
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (high[k] - low[k] > (high[axis] - low[axis]) * (1 + 1e-9)) axis = k;
  std::sort(ids.begin(), ids.end(), [&](int a, int b) {
    return rest[3 * a + axis] != rest[3 * b + axis] ? rest[3 * a + axis] < rest[3 * b + axis] : a < b;
  });
  bisect(rest, ids.first(ids.size() / 2));
  bisect(rest, ids.subspan(ids.size() / 2));
}

}  // namespace

void ContactRows::plant(const Problem& problem) {
  bodies_.assign(static_cast<std::size_t>(problem.space().components().count()), {});
  chunks_.clear();
  place_.assign(static_cast<std::size_t>(problem.space().vertices()), -1);
  std::vector<int> index(static_cast<std::size_t>(problem.space().vertices()), -1);
  for (int v = 0; v < problem.space().vertices(); ++v) {
    auto& all = bodies_[problem.space().component()[v]].vertices;
    index[v] = static_cast<int>(all.size());
    all.push_back(v);
  }
  for (const int v : problem.blocks().point_vertices())
    if (problem.space().free_index()[v] >= 0) bodies_[problem.space().component()[v]].order.push_back(v);
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    Body& body = bodies_[c];
    bisect(problem.elements().model().rest, body.order);
    for (std::size_t i = 0; i < body.order.size(); ++i) {
      place_[body.order[i]] = static_cast<int>(i);
      body.place.push_back(index[body.order[i]]);
    }
    body.ascending.resize(body.order.size());
    std::iota(body.ascending.begin(), body.ascending.end(), 0);
    std::ranges::sort(body.ascending, {}, [&](int i) { return body.order[i]; });
    body.touched.assign(body.order.size(), 0);
    body.made = body.touched;
    body.stiffness.resize(body.order.size());
    for (int begin = 0; !body.order.empty() && begin < std::ssize(body.vertices); begin += chunk_vertices)
      chunks_.push_back(
          {static_cast<int>(c), begin, std::min(static_cast<int>(body.vertices.size()), begin + chunk_vertices)});
  }
}

void ContactRows::begin(Problem& problem, const ConstantHessian& hessian) {
  if (problem.blocks().point_vertices().empty()) {
    bodies_.clear();
    return;
  }
  ++clock_, wait_ = patience_ = 0;
  const bool planted = !bodies_.empty() && revision_ == problem.revision().structure &&
                       planted_ == problem.blocks().point_vertices();
  if (!planted) plant(problem);
  if (!planted || version_ != hessian.version()) {
    for (Body& body : bodies_) body.columns.clear(), forget(body);
    matrix_ = neighbour_matrix(problem);
  }
  version_ = hessian.version(), revision_ = problem.revision().structure,
  planted_ = problem.blocks().point_vertices();
  for (Body& body : bodies_) {
    std::fill(body.touched.begin(), body.touched.end(), 0);
    std::fill(body.made.begin(), body.made.end(), 0);
    body.touches = false;
    if (std::ssize(body.columns) <= most_columns) continue;
    std::erase_if(body.columns, [&](const Column& column) { return column.used + 1 < clock_; });
    forget(body);
  }
}

bool ContactRows::update(Problem& problem, ConstantHessian& hessian, const double* y, bool patient) {
  if (problem.blocks().point_vertices().empty() || wait_-- > 0) return false;
  wait_ = patience_ = std::min(patience_ + 1, most_patience);
  points_ = problem.linearise(y).points();
  for (std::size_t c = 0; c < bodies_.size(); ++c)
    if (problem.space().components().active(static_cast<int>(c)))
      for (char& left : bodies_[c].touched) left = static_cast<char>(left > 0 ? left - 1 : 0);
  for (const auto& point : points_) {
    const int place = place_[point.vertex];
    if (place < 0) continue;  // pinned
    Body& body = bodies_[problem.space().component()[point.vertex]];
    if (body.touched[place] != remembered) body.stiffness[place] = {};  // several obstacles add up
    for (int k = 0; k < 6; ++k) body.stiffness[place][k] += point.hessian[k];
    body.touched[place] = remembered;
  }
  changed_.assign(bodies_.size(), 0);
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    Body& body = bodies_[c];
    if (!problem.space().components().active(static_cast<int>(c))) continue;
    if (!mark(body, patient)) continue;
    changed_[c] = 1;
    recall(body, points_of(body));
  }
  if (std::count(changed_.begin(), changed_.end(), 1) == 0) return false;
  make_columns(problem, hessian);
  for (std::size_t c = 0; c < bodies_.size(); ++c)
    if (changed_[c] != 0) make(bodies_[c]);
  return true;
}

// Whether so many other vertices touch than those that rows were made of that these are made anew.
bool ContactRows::mark(Body& body, bool patient) {
  int different = 0, leaving = 0;
  for (std::size_t i = 0; i < body.touched.size(); ++i) {
    different += (body.touched[i] != 0) != (body.made[i] != 0);
    leaving += body.touched[i] != 0 && body.touched[i] != remembered;
  }
  if (different + leaving > 0) wait_ = patience_ = 0;
  const auto before = body.touches ? static_cast<double>(body.points.size()) : 0.0;
  const bool changed = stiffness_changed(body);
  if (changed) wait_ = patience_ = 0;
  if (different <= (patient ? patiently : renewed) * before && (patient || !changed)) return false;
  for (std::size_t i = 0; i < body.touched.size(); ++i) body.made[i] = body.touched[i] != 0 ? 1 : 0;
  body.touches = std::find(body.made.begin(), body.made.end(), 1) != body.made.end();
  return true;
}

// Contacts that slid stick now, or the other way round.
bool ContactRows::stiffness_changed(const Body& body) const {
  double change = 0, all = 0;
  for (const Point& point : body.points) {
    const Symmetric3& now = body.stiffness[place_[point.vertex]];
    for (const std::size_t k : {0, 2, 5})
      change += std::abs(now[k] - point.stiffness[k]), all += point.stiffness[k];
  }
  return body.touches && change > stiffer * all;
}

void ContactRows::forget(Body& body) const {
  static_cast<Made&>(body) = {};
  body.earlier = {};
}

std::vector<ContactRows::Point> ContactRows::points_of(const Body& body) const {
  std::vector<Point> points;
  for (const int i : body.ascending)
    if (body.made[i] != 0) points.push_back({body.order[i], body.stiffness[i]});
  return points;
}

void ContactRows::add_touching(int component, std::vector<Point>& out) const {
  if (bodies_.empty()) return;
  const Body& body = bodies_[component];
  for (const int i : body.ascending)
    if (body.touched[i] == remembered) out.push_back({body.order[i], body.stiffness[i]});
}

// What was made of these vertices before; else room for it and patches.
void ContactRows::recall(Body& body, const std::vector<Point>& points) const {
  const auto same = [&](const Made& made) {
    return !points.empty() && std::ranges::equal(points, made.points, {}, &Point::vertex, &Point::vertex);
  };
  if (!same(body)) {
    auto at = std::find_if(body.earlier.begin(), body.earlier.end(), same);
    const bool known = at != body.earlier.end();
    if (!known)
      at = std::min_element(body.earlier.begin(), body.earlier.end(),
                            [](const Made& a, const Made& b) { return a.used < b.used; });
    std::swap(static_cast<Made&>(body), *at);
    if (!known) body.points.clear(), choose_patches(body);
  }
  body.used = clock_;
}

// Nodes of the tree all of whose vertices touch, the largest of them cut down to the depth at which there are
// enough.
void ContactRows::choose_patches(Body& body) const {
  struct Node {
    int first, last, depth;
  };
  std::vector<int> before = {0};  // touching vertices in front
  for (const char t : body.touched) before.push_back(before.back() + (t != 0 ? 1 : 0));
  std::vector<Node> cover, open = {{0, static_cast<int>(body.order.size()), 0}};
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
  body.patches.clear(), body.mean.clear();
  open.assign(cover.rbegin(), cover.rend());
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const int size = node.last - node.first, middle = node.first + size / 2;
    if (node.depth >= depth || size == 1) {
      body.patches.push_back({node.first, node.last, -1});
      continue;
    }
    open.push_back({middle, node.last, node.depth + 1});
    open.push_back({node.first, middle, node.depth + 1});
  }
  if (std::ssize(body.patches) <= most_patches) return;  // else the largest: smoothing sees the rest
  std::stable_sort(body.patches.begin(), body.patches.end(),
                   [](const Patch& a, const Patch& b) { return a.last - a.first > b.last - b.first; });
  body.patches.resize(most_patches);
}

// Columns of patches that have none yet, three of every component at a time.
void ContactRows::make_columns(Problem& problem, ConstantHessian& hessian) {
  std::vector<std::vector<int>> missing(bodies_.size());
  std::size_t most = 0;
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    if (changed_[c] == 0) continue;
    Body& body = bodies_[c];
    for (Patch& patch : body.patches) {
      const auto at = std::find_if(body.columns.begin(), body.columns.end(), [&](const Column& column) {
        return column.first == patch.first && column.last == patch.last;
      });
      patch.column = static_cast<int>(at - body.columns.begin());
      if (at == body.columns.end()) {
        missing[c].push_back(patch.column);
        body.columns.push_back({patch.first, patch.last, clock_, {}});
      }
      body.columns[patch.column].used = clock_;
    }
    most = std::max(most, missing[c].size());
  }
  load_.resize(static_cast<std::size_t>(problem.space().size()));
  for (std::size_t first = 0; first < most; first += 3) {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (std::size_t c = 0; c < bodies_.size(); ++c)
      for (std::size_t i = first; i < std::min(first + 3, missing[c].size()); ++i) {
        const Column& column = bodies_[c].columns[missing[c][i]];
        for (int k = column.first; k < column.last; ++k)
          load_[3 * static_cast<std::size_t>(bodies_[c].order[k]) + i - first] = 1.0 / (column.last - column.first);
      }
    hessian.solve(problem, load_.data(), load_.data());
    for (std::size_t c = 0; c < bodies_.size(); ++c)
      for (std::size_t i = first; i < std::min(first + 3, missing[c].size()); ++i) {
        auto& z = bodies_[c].columns[missing[c][i]].z;
        z.assign((bodies_[c].vertices.size() + floats - 1) / floats * floats, 0.0f);
        for (std::size_t v = 0; v < bodies_[c].vertices.size(); ++v)
          z[v] = static_cast<float>(load_[3 * static_cast<std::size_t>(bodies_[c].vertices[v]) + i - first]);
      }
  }
}

// Nothing to do where vertices and stiffness are those of the last time.
void ContactRows::make(Body& body) const {
  std::vector<Point> points = points_of(body);
  if (points == body.points && !points.empty()) return;
  body.smoother.set(points, matrix_, body.points.empty());
  body.points = std::move(points);
  make_rows(body);
  factorise(body);
}

// On a plane, and on what is nearly one, all rows have one axis.
void ContactRows::take_common_axis(Body& body) const {
  const auto along = [&](const Row& row) {
    const auto& axis = body.rows[0].axis;
    return row.axis[0] * axis[0] + row.axis[1] * axis[1] + row.axis[2] * axis[2];
  };
  body.one_axis = !body.rows.empty() && std::ranges::all_of(body.rows, [&](const Row& row) {
    return std::abs(along(row)) > 1 - parallel;
  });
  for (std::size_t i = 1; body.one_axis && i < body.rows.size(); ++i) body.rows[i].axis = body.rows[0].axis;
}

// The principal axes of every patch's stiffness.
void ContactRows::make_rows(Body& body) const {
  const auto full = [](const Symmetric3& k) {
    return std::vector<double>{k[0], k[1], k[3], k[1], k[2], k[4], k[3], k[4], k[5]};
  };
  std::vector<double> values, axes;
  body.rows.clear();
  for (int p = 0; p < std::ssize(body.patches); ++p) {
    Symmetric3 sum{};
    for (int i = body.patches[p].first; i < body.patches[p].last; ++i)
      for (int k = 0; k < 6; ++k) sum[k] += body.stiffness[i][k];
    std::vector<double> matrix = full(sum);
    symmetric_eigen(matrix, 3, values, axes);
    for (int i = 0; i < 3; ++i)
      if (values[i] > slight * values[2])
        body.rows.push_back({p, {axes[3 * i], axes[3 * i + 1], axes[3 * i + 2]}, values[i]});
  }
  take_common_axis(body);
  Symmetric3 all{};
  for (const Point& point : body.points)
    for (int k = 0; k < 6; ++k) all[k] += point.stiffness[k];
  std::vector<double> sum = full(all);
  symmetric_eigen(sum, 3, values, axes);
  body.unhindered = {};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 9 && values[k] <= slight * values[2]; ++i)
      body.unhindered[i] += axes[3 * k + i / 3] * axes[3 * k + i % 3];
}

void ContactRows::factorise(Body& body) const {
  const auto n = static_cast<int>(body.rows.size());
  const int patches = static_cast<int>(body.patches.size());
  auto& mean = body.mean;
  if (mean.empty()) {
    mean.resize(static_cast<std::size_t>(patches) * patches);
    for (int p = 0; p < patches; ++p)
      for (int q = 0; q < patches; ++q) {
        const auto& z = body.columns[body.patches[q].column].z;
        double sum = 0;
        for (int i = body.patches[p].first; i < body.patches[p].last; ++i) sum += z[body.place[i]];
        mean[p * patches + q] = sum / (body.patches[p].last - body.patches[p].first);
      }
  }
  body.factor.assign(static_cast<std::size_t>(n) * n, 0.0);
  body.right.resize(n);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      const Row &a = body.rows[i], &b = body.rows[j];
      const double cosine = a.axis[0] * b.axis[0] + a.axis[1] * b.axis[1] + a.axis[2] * b.axis[2];
      const double pq = 0.5 * (mean[a.patch * patches + b.patch] + mean[b.patch * patches + a.patch]);
      body.factor[j * n + i] = cosine * pq + (i == j ? 1 / a.stiffness : 0);
    }
  double pivot;
  if (n > 0 && cholesky_in_place(body.factor.data(), n, n, pivot) >= 0)
    body.rows.clear();  // round-off: then without
}

// C^-1 W^T d, added up by patch.
void ContactRows::find_loads(Body& body, const double* d) const {
  const int n = static_cast<int>(body.rows.size());
  double* x = body.right.data();
  for (int i = 0; i < n; ++i) {
    const Row& row = body.rows[i];
    const Patch& patch = body.patches[row.patch];
    double sum = 0;
    for (int k = patch.first; k < patch.last; ++k) {
      const double* at = d + 3 * static_cast<std::size_t>(body.order[k]);
      sum += row.axis[0] * at[0] + row.axis[1] * at[1] + row.axis[2] * at[2];
    }
    x[i] = sum / (patch.last - patch.first);
  }
  const double* l = body.factor.data();
  for (int j = 0; j < n; ++j) {
    x[j] /= l[j * n + j];
    for (int i = j + 1; i < n; ++i) x[i] -= x[j] * l[j * n + i];
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= l[j * n + i] * x[i];
    x[j] /= l[j * n + j];
  }
  const std::size_t axes = body.one_axis ? 1 : 3;
  body.loads.assign(axes * body.patches.size(), 0.0f);
  for (int j = 0; j < n; ++j)
    for (std::size_t k = 0; k < axes; ++k)
      body.loads[axes * static_cast<std::size_t>(body.rows[j].patch) + k] +=
          static_cast<float>(x[j] * (axes == 1 ? 1 : body.rows[j].axis[k]));
}

namespace {

// d -= sum_p z_p load_p for 16 `Packs` vertices from `first`; `count` of them are there. In floats, as columns are.
// Axes 1: loads are numbers along one axis.
template <int Packs, int Axes>
void subtract(std::span<const float* const> z, const float* load, const std::array<double, 3>& axis, int first,
              int count, const int* vertices, double* d) {
  Floats sum[Packs][Axes] = {};
  for (std::size_t p = 0; p < z.size(); ++p)
    for (int i = 0; i < Packs; ++i) {
      const Floats value = *reinterpret_cast<const Floats*>(z[p] + first + i * floats);
      for (int k = 0; k < Axes; ++k) sum[i][k] += value * load[Axes * p + static_cast<std::size_t>(k)];
    }
  for (int i = 0; i < Packs; ++i) {
    alignas(64) float out[Axes][floats];
    for (int k = 0; k < Axes; ++k) *reinterpret_cast<Floats*>(out[k]) = sum[i][k];
    const int* ids = vertices + first + i * floats;
    for (int l = 0; l < std::min(floats, count - i * floats); ++l)
      for (std::size_t k = 0; k < 3; ++k)
        d[3 * static_cast<std::size_t>(ids[l]) + k] -=
            Axes == 1 ? axis[k] * out[0][l] : static_cast<double>(out[k % Axes][l]);
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

// d -= Z of what find_loads has found.
void ContactRows::subtract_columns(const Chunk& chunk, double* d) const {
  const Body& body = bodies_[chunk.component];
  const float* z[most_patches];
  for (std::size_t p = 0; p < body.patches.size(); ++p) z[p] = body.columns[body.patches[p].column].z.data();
  const auto subtract = body.one_axis ? subtract_all<1> : subtract_all<3>;
  subtract({z, body.patches.size()}, body.loads.data(), body.rows[0].axis, chunk.begin, chunk.end,
           body.vertices.data(), d);
}

void ContactRows::solve(Problem& problem, ConstantHessian& hessian, const double* r, double* d) {
  const int count = static_cast<int>(bodies_.size());
  bool any = false;
  for (int c = 0; c < count; ++c) any = any || touches(problem, c);
  if (!any) return hessian.solve(problem, r, d);
  sum_pushes(problem, r);
  load_.assign(r, r + problem.space().size());
  for (int c = 0; c < count; ++c)
    if (touches(problem, c)) bodies_[c].smoother.forward(load_.data());
  hessian.solve(problem, load_.data(), d);
  for (int c = 0; c < count; ++c)
    if (touches(problem, c)) find_loads(bodies_[c], d);
  problem.space().pool().parallel(static_cast<int>(chunks_.size()), [&](int i) {
    const int c = chunks_[i].component;
    if (touches(problem, c) && !bodies_[c].rows.empty()) subtract_columns(chunks_[i], d);
  });
  for (int c = 0; c < count; ++c)
    if (touches(problem, c)) bodies_[c].smoother.backward(d);
  keep_momentum(problem, d);
}

// Of bodies that float: before r is lost, where d is the same array.
void ContactRows::sum_pushes(const Problem& problem, const double* r) {
  for (const auto& component : problem.space().floating_components()) {
    const int c = problem.space().component()[component[0]];
    if (!touches(problem, c)) continue;
    bodies_[c].push = {0, 0, 0};
    for (const int v : component)
      for (std::size_t k = 0; k < 3; ++k) bodies_[c].push[k] += r[3 * static_cast<std::size_t>(v) + k];
  }
}

// Where nothing pushes, sum m d = tau^2 sum r: smoothing alone would not keep it.
void ContactRows::keep_momentum(const Problem& problem, double* d) const {
  const auto mass = problem.space().coordinates().vertex_mass();
  const double tau2 = problem.stage().tau * problem.stage().tau;
  for (const auto& component : problem.space().floating_components()) {
    const int c = problem.space().component()[component[0]];
    if (!touches(problem, c)) continue;
    double gap[3] = {}, shift[3] = {};
    for (const int v : component)
      for (int k = 0; k < 3; ++k) gap[k] -= mass[v] * d[3 * static_cast<std::size_t>(v) + k];
    for (int k = 0; k < 3; ++k) gap[k] += tau2 * bodies_[c].push[k];
    for (int i = 0; i < 9; ++i)
      shift[i / 3] += bodies_[c].unhindered[i] * gap[i % 3] / problem.space().component_mass(c);
    for (const int v : component)
      for (int k = 0; k < 3; ++k) d[3 * static_cast<std::size_t>(v) + k] += shift[k];
  }
}

}  // namespace resilin
