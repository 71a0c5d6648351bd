#include "reduction/moved_target.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linear/supernodal_cholesky.h"
#include "problem/element_sample.h"
#include "reduction/reduced_sums.h"
#include "simd/pack.h"

namespace resilin {
namespace {

// Of the mass of vertices that are no samples, beside that of samples: what no sample sees stays where it is.
constexpr double unseen = 1e-3;

double product(const PositionSubspace& positions, int vertex, const double* q, std::size_t stride) {
  double sum = 0;
  positions.each_weight(vertex, [&](int row, double weight) { sum += weight * q[stride * row]; });
  return sum;
}

}  // namespace

MovedTarget::MovedTarget(const PositionSubspace& positions, std::span<const double> mass,
                         const SymmetricMatrix& pattern, const ReductionSettings& settings, ThreadPool& pool)
    : positions_(positions), mass_(mass.begin(), mass.end()), pattern_(pattern), settings_(settings), pool_(pool) {}

void MovedTarget::update(const Model& model, std::span<const int> sampled) {
  if (!std::equal(sampled.begin(), sampled.end(), sampled_.begin(), sampled_.end())) {
    sampled_.assign(sampled.begin(), sampled.end());
    lift_ = PartialLift(positions_, sampled_);
    solver_.reset();
  }
  regions_.clear();
  for (const Term& term : model.terms) {
    if (term.elements.size() == 0 || term.elastic.empty() || !term.elastic[0]->is_obstacle()) continue;
    Region region{term.elastic[0].get(), nullptr, {}};
    std::vector<int> slots;
    for (int i = 0; i < term.elements.size(); ++i) {
      const auto at = std::lower_bound(sampled_.begin(), sampled_.end(), term.elements.vertices(i)[0]);
      if (at == sampled_.end() || *at != term.elements.vertices(i)[0]) continue;
      region.entry.push_back(static_cast<int>(at - sampled_.begin())), slots.push_back(i);
    }
    if (slots.empty()) continue;
    while (slots.size() % lanes != 0) slots.push_back(slots.back()), region.entry.push_back(region.entry.back());
    region.kernel = region.potential->pack(slots);
    regions_.push_back(std::move(region));
  }
}

// The nearest unknowns to given changes of sampled vertices: least squares.
void MovedTarget::factorise() {
  double total = 0;
  for (const double m : mass_) total += m;
  weight_ = total / static_cast<double>(sampled_.size());
  std::vector<double> weights = mass_;
  for (double& w : weights) w *= unseen;
  for (const int v : sampled_) weights[v] = weight_;
  SymmetricMatrix matrix = pattern_;
  matrix.clear();
  set_values(positions_, ReducedSums(positions_, pool_).mass(weights), matrix);
  solver_ = std::make_unique<SupernodalCholesky<double>>();
  solver_->analyse(matrix);
  solver_->factorise(matrix, pool_);
}

// Where drags are other ones.
void MovedTarget::pack_drags(const Model& model) {
  const auto same = [](const Term& term, const Drag& drag) { return term.elastic[0] == drag.potential; };
  if (std::equal(model.listed.begin(), model.listed.end(), drags_.begin(), drags_.end(), same)) return;
  drags_.clear();
  for (const Term& term : model.listed) {
    std::vector<int> slots(term.elements.size());
    std::iota(slots.begin(), slots.end(), 0);
    while (slots.size() % lanes != 0) slots.push_back(slots.back());
    drags_.push_back({term.elastic[0], term.elastic[0]->pack(slots)});
  }
}

void MovedTarget::collect_drags(const Model& model, double time) {
  pack_drags(model);
  held_.clear();
  for (std::size_t h = 0; h < drags_.size(); ++h) {
    const Term& term = model.listed[h];
    Kernel* kernel = drags_[h].kernel.get();
    kernel->set_time(time);
    for (int i = 0; i < term.elements.size(); ++i) {
      alignas(64) double z[3 * lanes] = {}, to[3 * lanes];
      Block block;
      block.rows = 1, block.packs = 1, block.first = i / lanes, block.z = z;
      kernel->project(block, to);
      double k = 0;
      term.elastic[0]->quadratic(i, 1, &k);
      const int lane = i % lanes;
      const std::array at{to[lane], to[lanes + lane], to[2 * lanes + lane]};
      held_.push_back({term.elements.vertices(i)[0], k * term.elements.measure(i), at});
    }
  }
}

// The least of |target' - target|^2/(2 tau^2) in the mass and the springs of drags: a low-rank solve with U^T M U
// (Woodbury).
void MovedTarget::pull(Stage& stage) {
  const std::size_t n = held_.size(), rows = positions_.rows();
  const double tau2 = stage.tau * stage.tau;
  columns_.assign(3 * rows * ((n + 2) / 3), 0.0);  // M^-1 e of three vertices at once
  for (std::size_t i = 0; i < n; ++i) {
    double* to = &columns_[i / 3 * 3 * rows + i % 3];
    positions_.each_weight(held_[i].vertex, [&](int row, double weight) { to[3 * row] += weight; });
  }
  for (std::size_t i = 0; i < n; i += 3) positions_.solve_mass(&columns_[i * rows], &columns_[i * rows], pool_);
  capacity_.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1 / (held_[i].stiffness * tau2) : 0;
      sum += product(positions_, held_[i].vertex, &columns_[j / 3 * 3 * rows + j % 3], 3);
      for (std::size_t k = 0; k < j; ++k) sum -= capacity_[i * n + k] * capacity_[j * n + k];
      capacity_[i * n + j] = i == j ? std::sqrt(sum) : sum / capacity_[j * n + j];
    }
  pull_.resize(n);
  change_.assign(3 * rows, 0.0);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = held_[i].at[axis] - product(positions_, held_[i].vertex, &stage.target[axis], 3);
      for (std::size_t k = 0; k < i; ++k) sum -= capacity_[i * n + k] * pull_[k];
      pull_[i] = sum / capacity_[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) pull_[i] -= capacity_[k * n + i] * pull_[k];
      pull_[i] /= capacity_[i * n + i];
    }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t row = 0; row < rows; ++row)
        change_[3 * row + axis] += pull_[i] * columns_[i / 3 * 3 * rows + 3 * row + i % 3];
  }
  for (std::size_t i = 0; i < change_.size(); ++i) stage.target[i] += change_[i], stage.guess[i] += change_[i];
}

// Where a vertex would be inside, it goes to the border, is thrown back by a part of the way that it came along the
// normal, and loses a part of the way along the border, both against the obstacle, which may move. True when there
// was one.
bool MovedTarget::push_out(const Region& region, const Stage& stage) {
  bool any = false;
  region.kernel->set_time(stage.time);
  for (std::size_t first = 0; first < region.entry.size(); first += lanes) {
    alignas(64) double z[3 * lanes], nearest[3 * lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t k = 0; k < 3; ++k) z[k * lanes + lane] = wanted_[4 * region.entry[first + lane] + k];
    Block block;
    block.rows = 1, block.packs = 1, block.first = static_cast<int>(first / lanes), block.z = z;
    region.kernel->project(block, nearest);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t at = 4 * region.entry[first + lane];
      double start[3], normal[3], depth = 0, inward = 0;
      std::copy_n(&before_[at], 3, start);
      region.potential->carry(stage.start.empty() ? stage.time - stage.tau : stage.start_time, stage.time, start);
      for (std::size_t k = 0; k < 3; ++k)
        normal[k] = nearest[k * lanes + lane] - z[k * lanes + lane], depth += normal[k] * normal[k];
      depth = std::sqrt(depth);
      if (!(depth > 0)) continue;
      any = true;
      for (std::size_t k = 0; k < 3; ++k)
        normal[k] /= depth, inward -= normal[k] * (z[k * lanes + lane] - start[k]);
      for (std::size_t k = 0; k < 3; ++k) {
        const double along = z[k * lanes + lane] - start[k] + inward * normal[k];
        const double to = nearest[k * lanes + lane] - settings_.friction * along +
                          settings_.repulsion * std::max(0.0, inward) * normal[k];
        gap_[at + k] = to - z[k * lanes + lane];
      }
    }
  }
  return any;
}

void MovedTarget::move(const Model& model, Stage& stage) {
  collect_drags(model, stage.time);
  if (!held_.empty()) pull(stage);
  if (regions_.empty()) return;
  const std::size_t size = 4 * sampled_.size();
  wanted_.resize(size), before_.resize(size), gap_.assign(size, 0.0);
  lift_.lift(stage.target.data(), wanted_.data(), pool_);
  lift_.lift(stage.start.empty() ? stage.origin.data() : stage.start.data(), before_.data(), pool_);
  bool any = false;
  for (const Region& region : regions_) any = push_out(region, stage) || any;
  if (!any) return;
  if (!solver_) factorise();
  for (double& value : gap_) value *= weight_;
  change_.assign(stage.target.size(), 0.0);
  lift_.add_pull_back(gap_.data(), change_.data(), pool_);
  solver_->solve(change_.data(), change_.data(), pool_);
  for (std::size_t i = 0; i < change_.size(); ++i) stage.target[i] += change_[i], stage.guess[i] += change_[i];
}

}  // namespace resilin
