#include "problem/blocks/tunnel_guards.h"

#include <algorithm>
#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double stopping_depth = 0.25;  // of the thickness: where a half space stops a vertex of its own

Term term_of(std::vector<int> vertices, std::vector<HalfSpace> spaces) {
  return {"guard", Elements::points(vertices), {std::make_shared<HalfSpaces>(std::move(spaces))}};
}

}  // namespace

TunnelGuards::TunnelGuards(const Space& space, const Model& model)
    : space_(space), model_(model), elements_(space) {
  set({}, {});
}

void TunnelGuards::set(std::vector<int> vertices, std::vector<HalfSpace> spaces) {
  term_.assign(1, term_of(std::move(vertices), std::move(spaces)));
  elements_.set_terms(term_);
}

// Sweeps of free vertices to `to`; those of pinned ones have no length.
const std::vector<SweepHit>& TunnelGuards::find(const Stage& stage, const Term& obstacle, const double* to) {
  hits_.clear();
  const auto* potential = dynamic_cast<const ObstaclePotential*>(obstacle.elastic[0].get());
  if (potential == nullptr || !std::isfinite(potential->obstacle()->thickness())) return hits_;
  const auto& free = space_.free_index();
  const bool known = !stage.start.empty();
  const std::vector<double>& start = known ? stage.start : stage.origin;
  const auto count = static_cast<std::size_t>(obstacle.elements.size());
  from_.resize(3 * count), to_.resize(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto v = static_cast<std::size_t>(obstacle.elements.vertices(static_cast<int>(i))[0]);
    std::copy_n(&start[3 * v], 3, &from_[3 * i]);
    std::copy_n(free[v] >= 0 ? to + 3 * v : &start[3 * v], 3, &to_[3 * i]);
  }
  const double t0 = known ? stage.start_time : stage.time - stage.tau;
  sweep_vertices(*potential->obstacle(), potential->motion(), {t0, stage.time, from_, to_}, hits_);
  std::erase_if(hits_, [&](const SweepHit& hit) { return free[obstacle.elements.vertices(hit.way)[0]] < 0; });
  return hits_;
}

void TunnelGuards::begin_stage(const Stage& stage, std::span<const int> obstacles) {
  std::vector<int> vertices;
  std::vector<HalfSpace> spaces;
  for (const int t : obstacles) {
    const Term& obstacle = model_.terms[t];
    for (const SweepHit& hit : find(stage, obstacle, stage.target.data())) {
      vertices.push_back(obstacle.elements.vertices(hit.way)[0]);
      const double inertia = model_.mass[vertices.back()] / (stage.tau * stage.tau);
      spaces.push_back(
          {hit.point, hit.normal, inertia * hit.excess / (stopping_depth * hit.thickness), t, hit.way});
    }
  }
  if (any() || !vertices.empty()) set(std::move(vertices), std::move(spaces));
}

bool TunnelGuards::end_stage(const Stage& stage, std::span<const int> obstacles, double* y) {
  bool moved = false;
  for (const int t : obstacles) {
    const Term& obstacle = model_.terms[t];
    for (const SweepHit& hit : find(stage, obstacle, y)) {
      // Along the normal only: a slide along the obstacle is legal.
      const int v = obstacle.elements.vertices(hit.way)[0];
      const double depth = std::min(0.0, dot(vertex_at(y, v) - hit.point, hit.normal));
      for (int k = 0; k < 3; ++k) y[3 * v + k] -= depth * hit.normal[k];
      moved = true;
    }
  }
  if (any()) set({}, {});
  return moved;
}

}  // namespace resilin
