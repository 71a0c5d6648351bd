#include "solvers/interface_smoother.h"

#include <algorithm>

namespace resilin {

void InterfaceSmoother::begin(Problem& problem, const ConstantHessian& hessian) {
  vertices_.clear();
  if (!!problem.blocks().contacts().empty() || (version_ == hessian.version() && !matrix_.diagonal.empty())) return;
  matrix_ = neighbour_matrix(problem), version_ = hessian.version();
}

void InterfaceSmoother::update(const Problem& problem, const std::vector<PairStiffness>& pairs,
                               const ContactRows* rows) {
  if (pairs.empty() && vertices_.empty()) return;
  const auto count = static_cast<std::size_t>(problem.space().components().count());
  touching_.clear();
  alone_.assign(count, 0);
  for (const auto& component : problem.space().floating_components())
    alone_[static_cast<std::size_t>(problem.space().component()[component[0]])] = 1;
  for (std::size_t c = 0; rows != nullptr && c < count; ++c) {
    const std::size_t so_far = touching_.size();
    rows->add_touching(static_cast<int>(c), touching_);
    if (touching_.size() > so_far) alone_[c] = 0;
  }
  const bool first = vertices_.empty();
  for (const PairStiffness& pair : pairs)
    for (const int v : pair.vertices)
      if (problem.space().free_index()[static_cast<std::size_t>(v)] >= 0) vertices_.push_back(v);
  for (const ContactSmoother::Point& point : touching_) vertices_.push_back(point.vertex);
  std::sort(vertices_.begin(), vertices_.end());
  vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
  points_.clear();
  for (const int v : vertices_) points_.push_back({v, {}});
  for (const auto& [vertex, stiffness] : touching_)
    points_[static_cast<std::size_t>(std::lower_bound(vertices_.begin(), vertices_.end(), vertex) -
                                     vertices_.begin())]
        .stiffness = stiffness;
  for (std::size_t c = 0; c < count; ++c)
    if (alone_[c] == 0)
      alone_[static_cast<std::size_t>(problem.space().components().island(static_cast<int>(c)))] = 0;
  smoother_.set(points_, matrix_, first, pairs);
}

void InterfaceSmoother::solve(const Problem& problem, const double* r, double* d, Solve solve) {
  if (vertices_.empty()) return solve(r, d);
  load_.assign(r, r + problem.space().size());
  push_.assign(alone_.size(), {});
  for (std::size_t v = 0; v < load_.size() / 3; ++v)
    for (std::size_t k = 0; k < 3; ++k)
      push_[static_cast<std::size_t>(problem.space().components().island(problem.space().component()[v]))][k] +=
          load_[3 * v + k];
  smoother_.forward(load_.data());
  solve(load_.data(), d);
  smoother_.backward(d);
  keep_momentum(problem, d);
}

// Of an island that nothing else holds, sum m d = tau^2 sum r: smoothing alone would not keep it.
void InterfaceSmoother::keep_momentum(const Problem& problem, double* d) const {
  const auto mass = problem.space().coordinates().vertex_mass();
  const double tau2 = problem.stage().tau * problem.stage().tau;
  const auto island = [&](std::size_t v) {
    return static_cast<std::size_t>(problem.space().components().island(problem.space().component()[v]));
  };
  std::vector<std::array<double, 3>> shift(push_.size());
  for (std::size_t c = 0; c < push_.size(); ++c)
    for (std::size_t k = 0; k < 3; ++k) shift[c][k] = tau2 * push_[c][k];
  for (std::size_t v = 0; v < mass.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) shift[island(v)][k] -= mass[v] * d[3 * v + k];
  for (std::size_t v = 0; v < mass.size(); ++v)
    if (const std::size_t c = island(v); alone_[c] != 0)
      for (std::size_t k = 0; k < 3; ++k)
        d[3 * v + k] += shift[c][k] / problem.space().island(static_cast<int>(c)).mass;
}

}  // namespace resilin
