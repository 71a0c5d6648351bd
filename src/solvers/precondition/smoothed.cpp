#include "solvers/precondition/smoothed.h"

#include <algorithm>

namespace resilin {

void Smoothed::begin(Problem& problem) {
  problem_ = &problem;
  vertices_.clear(), islands_.clear();
}

void Smoothed::update(const std::vector<PairStiffness>& pairs, const ObstacleLevel* obstacles) {
  if (pairs.empty() && vertices_.empty()) return;
  const Space& space = problem_->space();
  touching_.clear();
  held_.assign(space.components().count(), 0);
  for (int c = 0; obstacles != nullptr && c < space.components().count(); ++c) {
    const std::size_t before = touching_.size();
    obstacles->add_newest(c, touching_);
    if (touching_.size() > before) held_[c] = 1;
  }
  const bool first = vertices_.empty();
  take_vertices(pairs);
  points_.clear();
  for (const int v : vertices_) points_.push_back({v, {}});
  for (const auto& [vertex, stiffness] : touching_)
    std::ranges::lower_bound(points_, vertex, {}, &VertexSmoother::Point::vertex)->stiffness = stiffness;
  smoother_.set(points_, factor_.neighbours(), first, pairs);
  find_mean_steps();
}

void Smoothed::take_vertices(const std::vector<PairStiffness>& pairs) {
  for (const PairStiffness& pair : pairs)
    for (const int v : pair.vertices)
      if (problem_->space().free_index()[v] >= 0) vertices_.push_back(v);
  for (const auto& point : touching_) vertices_.push_back(point.vertex);
  std::sort(vertices_.begin(), vertices_.end());
  vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
}

// Smoothing alone would not keep the momentum of islands.
void Smoothed::find_mean_steps() {
  const auto islands = problem_->space().components().islands();
  if (std::ranges::equal(islands, islands_) && held_ == held_then_) return;
  islands_.assign(islands.begin(), islands.end()), held_then_ = held_;
  free_ = free_islands(problem_->space(), held_);
  std::vector<MeanStep::Group> groups;
  for (const auto& vertices : free_) groups.push_back({vertices});
  mean_step_.set(std::move(groups));
}

void Smoothed::apply(const double* r, double* d) {
  if (vertices_.empty()) return inner_.apply(r, d);
  mean_step_.note(*problem_, r);
  load_.assign(r, r + problem_->space().size());
  smoother_.forward(load_.data());
  inner_.apply(load_.data(), d);
  smoother_.backward(d);
  mean_step_.correct(*problem_, d);
}

}  // namespace resilin
