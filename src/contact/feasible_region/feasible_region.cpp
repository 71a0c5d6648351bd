#include "contact/feasible_region/feasible_region.h"

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/closest_points.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double floor_gap = 0.02;     // of the radius: nothing comes nearer
constexpr double least_of_gap = 0.1;   // that a step leaves
constexpr double least_share = 0.1;    // of the rest, for the side that does not move
constexpr double inside = 1 - 1e-9;    // of a shortened step: rounding must not leave the region
constexpr double as_it_is = 1 - 1e-6;  // of a gap: what moves along is not stopped by rounding
constexpr std::ptrdiff_t chunk = 1024;

double along(const double* n, const double* x) { return n[0] * x[0] + n[1] * x[1] + n[2] * x[2]; }

template <class Visit>
void in_chunks(std::size_t count, ThreadPool& pool, Visit visit) {
  const auto n = static_cast<std::ptrdiff_t>(count);
  pool.parallel(static_cast<int>((n + chunk - 1) / chunk), [&](int i) {
    for (std::ptrdiff_t k = i * chunk; k < std::min(n, (i + 1) * chunk); ++k) visit(k);
  });
}

}  // namespace

// What lies between the sides along the normal; negative: it does not separate them.
double FeasibleRegion::Pair::gap(const double* x) const {
  double at[4];
  for (std::size_t i = 0; i < 4; ++i) at[i] = along(normal, x + 3 * vertices[i]);
  return edges ? std::min(at[0], at[1]) - std::max(at[2], at[3]) : at[0] - std::max({at[1], at[2], at[3]});
}

// The normal between the closest points at x.
void FeasibleRegion::Pair::turn(const double* x) {
  const auto closest = closest_points(edges, corners_at(x, vertices));
  const double d = std::sqrt(closest.squared);
  for (std::size_t k = 0; k < 3 && d > 0; ++k) normal[k] = closest.difference[k] / d;
}

void FeasibleRegion::set(std::span<const double> centre, std::span<const ContactPair> pairs, double ball,
                         double radius, std::span<const int> bound) {
  ball_ = ball, radius_ = radius;
  bound_.assign(bound.begin(), bound.end());
  place_.assign(centre.size() / 3, -1);
  centre_.resize(3 * bound_.size());
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    place_[bound_[i]] = static_cast<int>(i);
    std::copy_n(&centre[3 * bound_[i]], 3, &centre_[3 * i]);
  }
  pairs_.clear();
  for (const ContactPair& pair : pairs) {
    if (pair.distance > 2 * ball + least_of_gap * radius) continue;  // balls keep it apart
    const double* n = pair.normal;
    pairs_.push_back({pair.vertices, pair.kind == ContactPair::edge_edge, {n[0], n[1], n[2]}});
  }
}

double FeasibleRegion::keeps(double gap, Keeps more) const {
  return std::min(as_it_is * gap, std::max({least_of_gap * gap, floor_gap * radius_,
                                            std::min(more.of_radius * radius_, more.of_gap * gap)}));
}

// A plane across the normal that moves evenly from between the sides at `from` to between them at `to` separates
// them all the time.
bool FeasibleRegion::passes(Pair& pair, const double* from, const double* to, Keeps more) const {
  const auto separates = [&](const Pair& by) {
    const double before = by.gap(from);
    return before > 0 && by.gap(to) >= keeps(before, more);
  };
  if (separates(pair)) return true;
  Pair other = pair;
  other.turn(to);
  pair.turn(from);
  return separates(pair) || separates(other);
}

// |from + t step - centre| <= ball.
double FeasibleRegion::within_ball(std::size_t place, const double* from, const double* step) const {
  const double* c = &centre_[3 * place];
  const double off[3] = {from[0] - c[0], from[1] - c[1], from[2] - c[2]};
  const double ss = along(step, step), os = along(off, step), room = ball_ * ball_ - along(off, off);
  if (!(ss + 2 * os > room)) return 1;
  return std::clamp((std::sqrt(std::max(0.0, os * os + ss * room)) - os) / ss, 0.0, 1.0);
}

// Steps, and what balls leave of them by component, in whole_.
FeasibleRegion::Clipped FeasibleRegion::begin(const double* from, const double* to, std::span<const int> component,
                                              ThreadPool& pool) {
  step_.resize(3 * bound_.size()), far_.resize(bound_.size());
  left_.resize(bound_.size());
  in_chunks(bound_.size(), pool, [&](std::size_t i) {
    const std::size_t v = 3 * static_cast<std::size_t>(bound_[i]);
    for (std::size_t k = 0; k < 3; ++k) step_[3 * i + k] = to[v + k] - from[v + k];
    far_[i] = along(&step_[3 * i], &step_[3 * i]);
    left_[i] = within_ball(i, from + v, &step_[3 * i]);
  });
  Clipped out;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    out.farthest = std::max(out.farthest, far_[i]);
    if (!(left_[i] < 1)) continue;
    double& least = whole_[component[bound_[i]]];
    least = std::min(least, inside * left_[i]), out.by_balls = true;
  }
  out.farthest = std::sqrt(out.farthest);
  std::fill(left_.begin(), left_.end(), 1.0);
  held_.assign(pairs_.size(), 0);
  return out;
}

// Pairs that no moving plane lets pass from now on; false: none.
bool FeasibleRegion::hold_more(const double* from, const double* to, Keeps more, ThreadPool& pool) {
  in_chunks(pairs_.size(), pool, [&](std::size_t p) {
    held_[p] = held_[p] != 0 ? 1 : passes(pairs_[p], from, to, more) ? 0 : 2;
  });
  bool any = false;
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    if (held_[p] == 2) stop_at_planes(pairs_[p], from, more), any = true;
  return any;
}

// Both sides share what may be used up of the gap as they approach each other.
void FeasibleRegion::stop_at_planes(const Pair& pair, const double* from, Keeps more) {
  const std::size_t first = pair.edges ? 2 : 1;  // of side B
  double room[4], moves[4], edge[2] = {1e300, 1e300}, approach[2] = {0, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t side = i < first ? 0 : 1;
    const double sign = side == 0 ? 1 : -1;
    const int v = pair.vertices[i], place = place_[v];
    room[i] = sign * along(pair.normal, from + 3 * v);
    moves[i] = place >= 0 ? sign * along(pair.normal, &step_[3 * place]) : 0;
    edge[side] = std::min(edge[side], room[i]);
    approach[side] = std::max(approach[side], -moves[i]);
  }
  const double gap = edge[0] + edge[1], give = gap > 0 ? gap - keeps(gap, more) : 0;
  const double sum = approach[0] + approach[1];
  const double share = sum > 0 ? std::clamp(approach[0] / sum, least_share, 1 - least_share) : 0.5;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t side = i < first ? 0 : 1;
    const int place = place_[pair.vertices[i]];
    if (place < 0 || !(moves[i] < 0)) continue;
    const double to_plane = room[i] - edge[side] + (side == 0 ? share : 1 - share) * give;
    double& left = left_[place];
    left = std::min(left, inside * std::max(0.0, to_plane / -moves[i]));
  }
}

FeasibleRegion::Clipped FeasibleRegion::clip(const double* from, double* to, std::span<const int> component,
                                             std::span<double> part, ThreadPool& pool) {
  whole_.assign(part.size(), 1.0);
  Clipped out = begin(from, to, component, pool);
  // What all may go alike.
  together_.assign(pairs_.size(), 1.0);
  in_chunks(pairs_.size(), pool, [&](std::size_t p) {
    if (passes(pairs_[p], from, to, {})) return;
    const double before = pairs_[p].gap(from), after = pairs_[p].gap(to), least = keeps(before, {});
    together_[p] =
        before > least && before > after ? inside * std::min(1.0, (before - least) / (before - after)) : 0;
  });
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    if (together_[p] < 1)
      for (const int v : pairs_[p].vertices) {
        double& least = part[component[v]];
        least = std::min(least, together_[p]);
      }
  for (std::size_t c = 0; c < part.size(); ++c) part[c] = std::min(part[c], whole_[c]);
  if (out.by_balls) {
    for (std::size_t v = 0; v < component.size(); ++v) {
      const double t = whole_[component[v]];
      for (std::size_t k = 3 * v; k < 3 * v + 3 && t < 1; ++k) to[k] = from[k] + t * (to[k] - from[k]);
    }
    for (std::size_t i = 0; i < bound_.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) step_[3 * i + k] *= whole_[component[bound_[i]]];
  }
  while (hold_more(from, to, {}, pool))
    in_chunks(bound_.size(), pool, [&](std::size_t i) {
      const std::size_t v = 3 * static_cast<std::size_t>(bound_[i]);
      for (std::size_t k = 0; k < 3 && left_[i] < 1; ++k) to[v + k] = from[v + k] + left_[i] * step_[3 * i + k];
    });
  for (const double left : left_) out.by_planes += left < 1 ? 1 : 0;
  return out;
}

FeasibleRegion::Clipped FeasibleRegion::clip_alike(const double* from, double* to, std::span<const int> component,
                                                   Keeps more, std::span<char> stopped, ThreadPool& pool) {
  whole_.assign(stopped.size(), 1.0);
  std::fill(stopped.begin(), stopped.end(), 0);
  const std::vector<double> wanted(to, to + 3 * component.size());
  Clipped out = begin(from, to, component, pool);
  do {
    for (std::size_t i = 0; i < bound_.size(); ++i) {
      const auto c = static_cast<std::size_t>(component[bound_[i]]);
      if (left_[i] < whole_[c]) whole_[c] = left_[i], stopped[c] = 1;
    }
    for (std::size_t v = 0; v < component.size(); ++v) {
      const double t = whole_[component[v]];
      for (std::size_t k = 3 * v; k < 3 * v + 3 && t < 1; ++k) to[k] = from[k] + t * (wanted[k] - from[k]);
    }
  } while (hold_more(from, to, more, pool));
  for (const char one : stopped) out.by_planes += one;
  return out;
}

}  // namespace resilin
