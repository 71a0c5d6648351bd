#include "solvers/descent/rigid_start.h"

#include <algorithm>
#include <cmath>

#include "geometry/rigid_step.h"
#include "geometry/vec3.h"
#include "linear/dense_kernels.h"

namespace resilin {
namespace {

constexpr int most_rounds = 30, most_halvings = 20;
constexpr double enough = 1e-10;      // of the value: what is left to gain
constexpr double least_cosine = 0.5;  // of the turn of an island of several bodies

// The components of each island.
std::vector<int> members_of(const ComponentSet& components) {
  std::vector<int> out(components.count(), 0);
  for (const int island : components.islands()) ++out[island];
  return out;
}

std::array<double, 3> centre(const std::vector<int>& component, std::span<const double> mass,
                             const std::vector<double>& x) {
  double total = 0;
  std::array<double, 3> sum{};
  for (const int v : component) {
    total += mass[v];
    for (int k = 0; k < 3; ++k) sum[k] += mass[v] * x[3 * v + k];
  }
  for (double& value : sum) value /= total;
  return sum;
}

// Two bodies that fly at each other would be turned until they have changed places: no step turns an island by so
// much, it moves then.
void turn_little(const std::vector<int>& island, std::span<const double> mass, const std::vector<double>& start,
                 std::vector<double>& moved) {
  const auto from = centre(island, mass, start), to = centre(island, mass, moved);
  double both = 0, own = 0;
  for (const int v : island)
    for (int k = 0; k < 3; ++k) {
      const double before = start[3 * v + k] - from[k];
      both += mass[v] * before * (moved[3 * v + k] - to[k]), own += mass[v] * before * before;
    }
  if (both >= least_cosine * own) return;
  for (const int v : island)
    for (int k = 0; k < 3; ++k) moved[3 * v + k] = start[3 * v + k] + to[k] - from[k];
}

// Where steps are bounded, a body that stays behind its pins is torn by them and hindered by its own surface: it
// goes along, unless others might be in its way.
void follow_pins(const Problem& problem, const std::vector<double>& y, std::vector<double>& start) {
  const ComponentSet& components = problem.space().components();
  const std::vector<int> members = members_of(components);
  std::vector<std::array<double, 4>> moved(members.size(), {0, 0, 0, 0});  // sum over pins, and how many
  for (int v = 0; v < problem.space().vertices(); ++v) {
    if (problem.space().free_index()[v] >= 0) continue;
    std::array<double, 4>& sum = moved[problem.space().component()[v]];
    for (int k = 0; k < 3; ++k) sum[k] += y[3 * v + k] - start[3 * v + k];
    sum[3] += 1;
  }
  for (int v = 0; v < problem.space().vertices(); ++v) {
    const int c = problem.space().component()[v];
    if (moved[c][3] > 0 && members[components.island(c)] == 1)
      for (int k = 0; k < 3; ++k) start[3 * v + k] += moved[c][k] / moved[c][3];
  }
}

int island(const Problem& problem, int vertex) {
  return problem.space().components().island(problem.space().component()[vertex]);
}

}  // namespace

void RigidStart::find(Problem& problem, const std::vector<double>& y, std::vector<double>& start) {
  const Stage& stage = problem.stage();
  start = limits_steps(problem) && !stage.start.empty() ? stage.start : stage.origin;
  if (limits_steps(problem)) follow_pins(problem, y, start);
  for (int v = 0; v < problem.space().vertices(); ++v)
    if (problem.space().free_index()[v] < 0) std::copy_n(&y[3 * v], 3, &start[3 * v]);
  find_floating(problem);
  measure(problem, start);
  origin_value_ = value_;
  moved_ = start;
  for (const auto* component : floating_)
    rigid_step(problem.space().vertex_mass(), *component, stage.target, moved_);
  if (problem.space().components().joined())
    for (const auto* component : floating_) turn_little(*component, problem.space().vertex_mass(), start, moved_);
  measure(problem, moved_);
  best_value_ = value_;
  begin_low(problem, start);
  if (!problem.blocks().point_vertices().empty()) improve(problem, moved_);
  value_ = origin_value_;
  for (const auto* component : floating_) {
    const int c = island(problem, (*component)[0]);
    if (!(best_value_[c] < value_[c])) continue;
    for (int other = 0; other < problem.space().components().count(); ++other)
      if (problem.space().components().island(other) == c) value_[other] = best_value_[c];
    for (const int v : *component) std::copy_n(&moved_[3 * v], 3, &start[3 * v]);
  }
}

// Friction that holds a body is felt next to where it stands only: from free flight the way back is long.
void RigidStart::begin_low(const Problem& problem, const std::vector<double>& start) {
  const auto& contacts = problem.blocks().contacts();
  if (std::none_of(contacts.begin(), contacts.end(), [](const auto& one) { return one->of_obstacles(); })) return;
  for (const auto* component : floating_) {
    const int c = island(problem, (*component)[0]);
    if (!(origin_value_[c] < best_value_[c])) continue;
    best_value_[c] = origin_value_[c];
    for (const int v : *component) std::copy_n(&start[3 * v], 3, &moved_[3 * v]);
  }
}

// Islands that float as a whole: bodies that touch move as one.
void RigidStart::find_floating(const Problem& problem) {
  const ComponentSet& components = problem.space().components();
  floating_.clear();
  if (!components.joined()) {
    for (const auto& component : problem.space().floating_components())
      if (components.active(problem.space().component()[component[0]])) floating_.push_back(&component);
    return;
  }
  std::vector<int> members = members_of(components);
  merged_.assign(members.size(), {});
  for (const auto& component : problem.space().floating_components()) {
    const int leader = island(problem, component[0]);
    --members[leader];
    merged_[leader].insert(merged_[leader].end(), component.begin(), component.end());
  }
  for (int c = 0; c < components.count(); ++c)
    if (components.leads(c) && members[c] == 0 && components.active(c)) floating_.push_back(&merged_[c]);
}

// Inertia and contact of every island at `start`, and the contacts.
void RigidStart::measure(Problem& problem, const std::vector<double>& start) {
  const Stage& stage = problem.stage();
  const int count = problem.space().components().count();
  const double weight = 1 / (stage.tau * stage.tau);
  const auto& free = problem.space().free_index();
  const auto mass = problem.space().vertex_mass();
  problem.space().sum_by_component(1, sums_, value_, [&](std::ptrdiff_t b, std::ptrdiff_t e, double* sums) {
    for (std::ptrdiff_t v = b / 3; v < e / 3; ++v)
      for (std::ptrdiff_t i = 3 * v; i < 3 * v + 3 && free[v] >= 0; ++i) {
        const double gap = start[i] - stage.target[i];
        sums[0] += 0.5 * weight * mass[v] * gap * gap;
      }
  });
  contacts_ = problem.linearise(start.data()).points();
  if (problem.space().components().joined())
    std::stable_sort(contacts_.begin(), contacts_.end(), [&](const auto& a, const auto& b) {
      return island(problem, a.vertex) < island(problem, b.vertex);
    });
  first_.assign(count + 1, 0);
  for (const auto& point : contacts_) {
    value_[problem.space().component()[point.vertex]] += point.energy;
    ++first_[island(problem, point.vertex) + 1];
  }
  problem.space().components().share(1, value_);
  for (int c = 0; c < count; ++c) first_[c + 1] += first_[c];
}

// All components that touch, each with its own steps; those that do not touch where inertia alone is least are
// done.
void RigidStart::improve(Problem& problem, std::vector<double>& start) {
  const auto& floating = floating_;
  running_.assign(floating.size(), 1);
  for (int round = 0; round < most_rounds; ++round) {
    measure(problem, start);
    motion_.resize(floating.size());
    bool any = false;
    for (std::size_t f = 0; f < floating.size(); ++f) {
      const int c = island(problem, (*floating[f])[0]);
      if (running_[f] == 0) continue;
      running_[f] = first_[c + 1] > first_[c] || round > 0;
      if (running_[f] == 0) continue;
      const double gain = step(problem, start, *floating[f], motion_[f].data());
      running_[f] = gain > enough * best_value_[c];
      any = any || running_[f] != 0;
    }
    if (!any) return;
    waiting_ = running_;
    for (int halving = 0; halving < most_halvings && std::count(waiting_.begin(), waiting_.end(), 1) > 0;
         ++halving) {
      trial_ = start;
      for (std::size_t f = 0; f < floating.size(); ++f)
        if (waiting_[f] != 0) move(*floating[f], problem.space().vertex_mass(), motion_[f].data(), trial_);
      measure(problem, trial_);
      for (std::size_t f = 0; f < floating.size(); ++f) {
        const int c = island(problem, (*floating[f])[0]);
        if (waiting_[f] == 0) continue;
        if (value_[c] < best_value_[c]) {
          best_value_[c] = value_[c], waiting_[f] = 0;
          for (const int v : *floating[f]) std::copy_n(&trial_[3 * v], 3, &start[3 * v]);
        }
        for (double& m : motion_[f]) m *= 0.5;
      }
    }
    for (std::size_t f = 0; f < floating.size(); ++f)
      if (waiting_[f] != 0) running_[f] = 0;
  }
}

// Gauss-Newton: the motion x -> x + t + w x (x - centre) to first order; returns -slope.
double RigidStart::step(const Problem& problem, const std::vector<double>& start, const std::vector<int>& component,
                        double motion[6]) const {
  const Stage& stage = problem.stage();
  const auto mass = problem.space().vertex_mass();
  const double weight = 1 / (stage.tau * stage.tau);
  const auto middle = centre(component, mass, start);
  std::array<double, 6> g{};
  std::array<double, 36> h{};  // column-major, lower triangle
  // J = [1, -[r]x] for r = x - centre; adds J^T f and J^T K J with K = lower triangle row by row.
  const auto add = [&](int v, const double f[3], const double k[6]) {
    const Vec3 r = vertex_at(start, v) - middle;
    const double j[3][6] = {{1, 0, 0, 0, r[2], -r[1]}, {0, 1, 0, -r[2], 0, r[0]}, {0, 0, 1, r[1], -r[0], 0}};
    const double full[3][3] = {{k[0], k[1], k[3]}, {k[1], k[2], k[4]}, {k[3], k[4], k[5]}};
    for (int a = 0; a < 6; ++a) {
      double kj[3];
      for (int i = 0; i < 3; ++i) {
        g[a] += j[i][a] * f[i];
        kj[i] = full[i][0] * j[0][a] + full[i][1] * j[1][a] + full[i][2] * j[2][a];
      }
      for (int b = a; b < 6; ++b)
        for (int i = 0; i < 3; ++i) h[a * 6 + b] += kj[i] * j[i][b];
    }
  };
  for (const int v : component) {
    const double m = weight * mass[v], k[6] = {m, 0, m, 0, 0, m};
    const Vec3 f = m * (vertex_at(start, v) - vertex_at(stage.target, v));
    add(v, f.data(), k);
  }
  const int c = island(problem, component[0]);
  for (int i = first_[c]; i < first_[c + 1]; ++i)
    add(contacts_[i].vertex, contacts_[i].gradient, contacts_[i].hessian);
  double pivot;
  for (int a = 0; a < 3; ++a) h[a * 7] *= 1 + 1e-12;
  const double turn = 1e-12 * std::max({h[21], h[28], h[35]});
  for (int a = 3; a < 6; ++a) h[a * 7] += turn;  // a line of vertices does not feel a turn about itself
  if (cholesky_in_place(h.data(), 6, 6, pivot) >= 0) return 0;
  for (int a = 0; a < 6; ++a) motion[a] = -g[a];
  for (int a = 0; a < 6; ++a) {
    motion[a] /= h[a * 7];
    for (int b = a + 1; b < 6; ++b) motion[b] -= motion[a] * h[a * 6 + b];
  }
  for (int a = 5; a >= 0; --a) {
    for (int b = a + 1; b < 6; ++b) motion[a] -= motion[b] * h[a * 6 + b];
    motion[a] /= h[a * 7];
  }
  double slope = 0;
  for (int a = 0; a < 6; ++a) slope += g[a] * motion[a];
  return -slope;
}

// Exponential map: t, then the turn about the centre by |w| (Rodrigues).
void RigidStart::move(const std::vector<int>& component, std::span<const double> mass, const double motion[6],
                      std::vector<double>& start) {
  const auto middle = centre(component, mass, start);
  const Vec3 w{motion[3], motion[4], motion[5]};
  const double angle = std::hypot(w[0], w[1], w[2]);
  const double s = angle > 0 ? std::sin(angle) / angle : 1, half = 0.5 * angle;
  const double c = angle > 0 ? 0.5 * std::pow(std::sin(half) / half, 2) : 0.5;
  for (const int v : component) {
    const Vec3 wr = cross(w, vertex_at(start, v) - middle), wwr = cross(w, wr);
    for (int k = 0; k < 3; ++k) start[3 * v + k] += motion[k] + s * wr[k] + c * wwr[k];
  }
}

}  // namespace resilin
