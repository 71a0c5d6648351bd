#include "solvers/precondition/obstacle_level.h"

#include <algorithm>
#include <cmath>

namespace resilin {
namespace {

constexpr char remembered = 8;      // updates for which a vertex counts that is not in contact any more
constexpr double renewed = 0.05;    // the set changes when so many of its vertices are others
constexpr double patiently = 0.25;  // the same, where that is costly
constexpr double stiffer = 0.1;     // or their stiffness has changed by so much

constexpr std::size_t most_columns = 256;  // kept
constexpr int most_patience = 3;           // iterations without a look
constexpr int chunk_vertices = 1024;

// Projects onto the axes along which K of all points together is nothing.
std::array<double, 9> without_stiffness(std::span<const VertexSmoother::Point> points) {
  Symmetric3 sum{};
  for (const auto& point : points)
    for (std::size_t k = 0; k < 6; ++k) sum[k] += point.stiffness[k];
  const PrincipalAxes axes = principal_axes(sum);
  std::array<double, 9> out{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 9 && axes.value[k] <= negligible_axis * axes.value[2]; ++i)
      out[i] += axes.axis[k][i / 3] * axes.axis[k][i % 3];
  return out;
}

}  // namespace

ContactSet::ContactSet(int size) : touched_(size), used_(size), stiffness_(size) {}

void ContactSet::clear() {
  std::fill(touched_.begin(), touched_.end(), 0);
  std::fill(used_.begin(), used_.end(), 0);
  any_ = false;
}

void ContactSet::age() {
  for (char& left : touched_) left = static_cast<char>(left > 0 ? left - 1 : 0);
}

void ContactSet::add(int place, const double stiffness[6]) {
  if (touched_[place] != remembered) stiffness_[place] = {};
  for (std::size_t k = 0; k < 6; ++k) stiffness_[place][k] += stiffness[k];
  touched_[place] = remembered;
}

ContactSet::Change ContactSet::take(const PatchTree& tree, std::span<const Point> before, bool patient) {
  int different = 0, leaving = 0;
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    different += (touched_[i] != 0) != (used_[i] != 0);
    leaving += touched_[i] != 0 && touched_[i] != remembered;
  }
  if (!any_) before = {};
  const bool stiffness = stiffness_changed(tree, before);
  const bool same = different + leaving == 0 && !stiffness;
  if (different <= (patient ? patiently : renewed) * static_cast<double>(before.size()) && (patient || !stiffness))
    return same ? Change::none : Change::little;
  for (std::size_t i = 0; i < touched_.size(); ++i) used_[i] = touched_[i] != 0 ? 1 : 0;
  any_ = std::find(used_.begin(), used_.end(), 1) != used_.end();
  return Change::renewed;
}

// Contacts that slid stick now, or the other way round.
bool ContactSet::stiffness_changed(const PatchTree& tree, std::span<const Point> before) const {
  double change = 0, all = 0;
  auto at = tree.ascending.begin();
  for (const Point& point : before) {
    while (tree.order[*at] != point.vertex) ++at;
    const Symmetric3& now = stiffness_[*at];
    for (const std::size_t k : {0, 2, 5})
      change += std::abs(now[k] - point.stiffness[k]), all += point.stiffness[k];
  }
  return change > stiffer * all;
}

std::vector<ContactSet::Point> ContactSet::points(const PatchTree& tree) const {
  std::vector<Point> out;
  for (const int i : tree.ascending)
    if (used_[i] != 0) out.push_back({tree.order[i], stiffness_[i]});
  return out;
}

void ContactSet::add_newest(const PatchTree& tree, std::vector<Point>& out) const {
  for (const int i : tree.ascending)
    if (touched_[i] == remembered) out.push_back({tree.order[i], stiffness_[i]});
}

void ObstacleLevel::plant() {
  const Space& space = problem_->space();
  std::vector<std::vector<int>> all(std::size_t(space.components().count())), touchable = all;
  for (int v = 0; v < space.vertices(); ++v) all[space.component()[v]].push_back(v);
  for (const int v : touchable_)
    if (space.free_index()[v] >= 0) touchable[space.component()[v]].push_back(v);
  bodies_.clear(), bodies_.resize(all.size());
  chunks_.clear();
  place_.assign(space.vertices(), -1);
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    Body& body = bodies_[c];
    body.tree = PatchTree(space.rest(), std::move(all[c]), std::move(touchable[c]));
    body.touching = ContactSet(body.tree.size());
    for (std::size_t i = 0; i < body.tree.order.size(); ++i) place_[body.tree.order[i]] = static_cast<int>(i);
    const auto count = static_cast<int>(body.tree.vertices.size());
    for (int begin = 0; body.tree.size() > 0 && begin < count; begin += chunk_vertices)
      chunks_.push_back({static_cast<int>(c), begin, std::min(count, begin + chunk_vertices)});
  }
}

void ObstacleLevel::begin(Problem& problem) {
  problem_ = &problem;
  const auto& touchable = problem.blocks().point_vertices();
  if (touchable.empty()) return leave_out();
  ++clock_, wait_ = patience_ = 0;
  const bool planted = !bodies_.empty() && structure_ == problem.revision().structure && touchable_ == touchable;
  touchable_ = touchable, structure_ = problem.revision().structure;
  if (!planted) plant();
  if (!planted || version_ != factor_.version())
    for (Body& body : bodies_) body.tree.columns.clear(), body.forget();
  version_ = factor_.version();
  for (Body& body : bodies_) {
    body.touching.clear();
    auto& columns = body.tree.columns;
    if (columns.size() <= most_columns) continue;
    std::erase_if(columns, [&](const PatchTree::Column& column) { return column.used + 1 < clock_; });
    body.forget();
  }
  find_mean_steps();
}

bool ObstacleLevel::update(const double* y, bool patient) {
  if (touchable_.empty() || wait_-- > 0) return false;
  wait_ = patience_ = std::min(patience_ + 1, most_patience);
  const Space& space = problem_->space();
  const auto active = [&](std::size_t c) { return space.components().active(static_cast<int>(c)); };
  for (std::size_t c = 0; c < bodies_.size(); ++c)
    if (active(c)) bodies_[c].touching.age();
  for (const PointStiffness& point : problem_->linearise(y).points()) {
    const int place = place_[point.vertex];
    if (place >= 0) bodies_[space.component()[point.vertex]].touching.add(place, point.hessian);  // else pinned
  }
  std::vector<std::size_t> changed;
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    if (!active(c)) continue;
    Body& body = bodies_[c];
    const auto change = body.touching.take(body.tree, body.set.points, patient);
    if (change != ContactSet::Change::none) wait_ = patience_ = 0;
    if (change != ContactSet::Change::renewed) continue;
    changed.push_back(c);
    recall(body);
  }
  if (changed.empty()) return false;
  make_columns(changed);
  for (const std::size_t c : changed) make(bodies_[c]);
  find_mean_steps();
  return true;
}

// The set of these vertices, if it was in use before; else room for it, with patches.
void ObstacleLevel::recall(Body& body) {
  const std::vector<Point> points = body.touching.points(body.tree);
  const auto same = [&](const Set& set) {
    return !points.empty() && std::ranges::equal(points, set.points, {}, &Point::vertex, &Point::vertex);
  };
  if (!same(body.set)) {
    auto at = std::find_if(body.earlier.begin(), body.earlier.end(), same);
    const bool known = at != body.earlier.end();
    if (!known)
      at = std::min_element(body.earlier.begin(), body.earlier.end(),
                            [](const Set& a, const Set& b) { return a.used < b.used; });
    std::swap(body.set, *at);
    if (!known) body.set.points.clear(), body.set.rows.choose(body.tree, body.touching.touched());
  }
  body.set.used = clock_;
}

// Three columns of every component at a time.
void ObstacleLevel::make_columns(std::span<const std::size_t> changed) {
  std::vector<std::vector<int>> missing(bodies_.size());
  std::size_t most = 0;
  for (const std::size_t c : changed) {
    bodies_[c].set.rows.find_columns(bodies_[c].tree, clock_, missing[c]);
    most = std::max(most, missing[c].size());
  }
  load_.resize(problem_->space().size());
  for (std::size_t first = 0; first < most; first += 3) {
    const auto each = [&](auto visit) {
      for (const std::size_t c : changed)
        for (std::size_t i = first; i < std::min(first + 3, missing[c].size()); ++i) {
          PatchTree& tree = bodies_[c].tree;
          visit(tree, tree.columns[missing[c][i]], i - first);
        }
    };
    std::fill(load_.begin(), load_.end(), 0.0);
    each([&](const PatchTree& tree, const PatchTree::Column& column, std::size_t axis) {
      for (int k = column.first; k < column.last; ++k)
        load_[3 * tree.order[k] + axis] = 1.0 / (column.last - column.first);
    });
    factor_.apply(load_.data(), load_.data());
    each([&](const PatchTree& tree, PatchTree::Column& column, std::size_t axis) {
      tree.store(load_, axis, column);
    });
  }
}

// Nothing to do where vertices and stiffness are those of the last time.
void ObstacleLevel::make(Body& body) {
  std::vector<Point> points = body.touching.points(body.tree);
  Set& set = body.set;
  if (points == set.points && !points.empty()) return;
  set.smoother.set(points, factor_.neighbours(), set.points.empty());
  set.points = std::move(points);
  set.rows.make(body.tree, body.touching.stiffness());
  set.unhindered = without_stiffness(set.points);
}

void ObstacleLevel::add_newest(int component, std::vector<Point>& out) const {
  if (!bodies_.empty()) body(component).touching.add_newest(body(component).tree, out);
}

// Smoothing alone would not keep the momentum of bodies that float.
void ObstacleLevel::find_mean_steps() {
  std::vector<MeanStep::Group> groups;
  for (const auto& component : problem_->space().floating_components())
    if (const int c = problem_->space().component()[component[0]]; !empty(c))
      groups.push_back({component, c, unhindered(c)});
  mean_step_.set(std::move(groups));
}

bool ObstacleLevel::in_use(std::size_t component) const {
  const int c = static_cast<int>(component);
  return !empty(c) && problem_->space().components().active(c);
}

void ObstacleLevel::apply(const double* r, double* d) {
  const auto each = [&](auto visit) {
    for (std::size_t c = 0; c < bodies_.size(); ++c)
      if (in_use(c)) visit(bodies_[c]);
  };
  bool any = false;
  each([&](const Body&) { any = true; });
  if (!any) return factor_.apply(r, d);
  mean_step_.note(*problem_, r);
  load_.assign(r, r + problem_->space().size());
  each([&](Body& body) { body.set.smoother.forward(load_.data()); });
  factor_.apply(load_.data(), d);
  each([&](Body& body) { body.set.rows.find_loads(body.tree, d); });
  problem_->space().parallel(static_cast<int>(chunks_.size()), [&](int i) {
    const auto& [c, begin, end] = chunks_[i];
    if (in_use(c) && !bodies_[c].set.rows.empty()) bodies_[c].set.rows.subtract(bodies_[c].tree, begin, end, d);
  });
  each([&](Body& body) { body.set.smoother.backward(d); });
  mean_step_.correct(*problem_, d);
}

}  // namespace resilin
