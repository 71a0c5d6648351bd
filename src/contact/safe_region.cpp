#include "contact/safe_region.h"

#include <algorithm>
#include <cmath>

#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double floor_gap = 0.02;   // of the radius: nothing comes nearer
constexpr double most_of_gap = 0.9;  // a region gives away at most so much of a gap
constexpr double least_share = 0.1;  // of that for the side that does not move
constexpr double inside = 1 - 1e-9;  // of a shortened step: rounding must not leave the region
constexpr std::ptrdiff_t chunk_vertices = 1024;

double along(const double* n, const double* x) { return n[0] * x[0] + n[1] * x[1] + n[2] * x[2]; }

}  // namespace

void SafeRegion::set(std::span<const double> centre, std::span<const ContactPair> pairs,
                     std::span<const double> wanted, double ball, double radius, std::span<const int> bound) {
  ball_ = ball;
  bound_.assign(bound.begin(), bound.end());
  place_.assign(centre.size() / 3, -1);
  centre_.resize(3 * bound_.size());
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    place_[static_cast<std::size_t>(bound_[i])] = static_cast<int>(i);
    std::copy_n(&centre[3 * static_cast<std::size_t>(bound_[i])], 3, &centre_[3 * i]);
  }
  start_.assign(bound_.size() + 1, 0);
  const auto each = [&](auto visit) {
    for (const ContactPair& pair : pairs)
      for (int i = 0; i < 4; ++i) {
        const int place = place_[static_cast<std::size_t>(pair.vertices[static_cast<std::size_t>(i)])];
        if (place >= 0) visit(pair, i, place);
      }
  };
  each([&](const ContactPair&, int, int place) { ++start_[static_cast<std::size_t>(place) + 1]; });
  for (std::size_t i = 0; i < bound_.size(); ++i) start_[i + 1] += start_[i];
  half_spaces_.resize(static_cast<std::size_t>(start_.back()));
  std::vector<int> next(start_.begin(), start_.end() - 1);
  each([&](const ContactPair& pair, int i, int place) {
    const double* n = pair.normal;
    // Both sides share the gap as they are expected to approach each other.
    double approach[2] = {0, 0}, middle[2] = {0, 0};
    for (int j = 0; j < 4; ++j) {
      const std::size_t v = 3 * static_cast<std::size_t>(pair.vertices[static_cast<std::size_t>(j)]);
      const int side = pair.weight[j] > 0 || (pair.kind == ContactPair::edge_edge ? j < 2 : j < 1) ? 0 : 1;
      const double w = std::abs(pair.weight[j]);
      const double moves = along(n, &wanted[v]) - along(n, &centre[v]);
      approach[side] += w * (side == 0 ? -moves : moves);
      middle[side] += w * along(n, &centre[v]);
    }
    const double a = std::max(approach[0], 0.0), b = std::max(approach[1], 0.0);
    const double share = a + b > 0 ? std::clamp(a / (a + b), least_share, 1 - least_share) : 0.5;  // of side A
    const double give = std::max(0.0, std::min(most_of_gap * pair.distance, pair.distance - floor_gap * radius));
    const bool side_a = pair.kind == ContactPair::edge_edge ? i < 2 : i < 1;
    const double sign = side_a ? 1 : -1;
    const std::size_t v = 3 * static_cast<std::size_t>(pair.vertices[static_cast<std::size_t>(i)]);
    HalfSpace& half = half_spaces_[static_cast<std::size_t>(next[static_cast<std::size_t>(place)]++)];
    for (int k = 0; k < 3; ++k) half.normal[k] = sign * n[k];
    const double offset = sign * middle[side_a ? 0 : 1] - (side_a ? share : 1 - share) * give;
    // Who is beyond already may not go further.
    half.offset = std::min(offset, along(half.normal, &centre[v]));
  });
}

double SafeRegion::within_planes(std::size_t place, const double* from, const double* step) const {
  double t = 1;
  for (int i = start_[place]; i < start_[place + 1]; ++i) {
    const HalfSpace& half = half_spaces_[static_cast<std::size_t>(i)];
    const double room = along(half.normal, from) - half.offset, moves = along(half.normal, step);
    if (moves < 0 && room + t * moves < 0) t = std::max(0.0, room / -moves);
  }
  return t;
}

// |from + t step - centre| <= ball.
double SafeRegion::within_ball(std::size_t place, const double* from, const double* step) const {
  const double* c = &centre_[3 * place];
  const double off[3] = {from[0] - c[0], from[1] - c[1], from[2] - c[2]};
  const double ss = along(step, step), os = along(off, step), room = ball_ * ball_ - along(off, off);
  if (!(ss + 2 * os > room)) return 1;
  return std::clamp((std::sqrt(std::max(0.0, os * os + ss * room)) - os) / ss, 0.0, 1.0);
}

SafeRegion::Clipped SafeRegion::clip(const double* from, double* to, std::span<const int> component,
                                     std::span<double> part, bool alike, ThreadPool& pool) {
  const auto count = static_cast<std::ptrdiff_t>(bound_.size());
  const auto chunks = static_cast<int>((count + chunk_vertices - 1) / chunk_vertices);
  left_.assign(bound_.size(), 1.0), far_.assign(bound_.size(), 0.0), planes_.assign(bound_.size(), 1.0);
  const auto each = [&](auto visit) {
    pool.parallel(chunks, [&](int chunk) {
      const std::ptrdiff_t last = std::min(count, (chunk + 1) * chunk_vertices);
      for (std::ptrdiff_t i = chunk * chunk_vertices; i < last; ++i) {
        const std::size_t v = 3 * static_cast<std::size_t>(bound_[static_cast<std::size_t>(i)]);
        const double step[3] = {to[v] - from[v], to[v + 1] - from[v + 1], to[v + 2] - from[v + 2]};
        visit(static_cast<std::size_t>(i), from + v, step, to + v);
      }
    });
  };
  each([&](std::size_t i, const double* at, const double* step, double*) {
    left_[i] = within_ball(i, at, step);
    far_[i] = along(step, step);
    planes_[i] = alike ? within_planes(i, at, step) : 1;
  });
  Clipped out;
  const auto of = [&](std::size_t i) -> double& {
    return part[static_cast<std::size_t>(component[static_cast<std::size_t>(bound_[i])])];
  };
  std::vector<double> whole(part.size(), 1.0);
  for (std::size_t i = 0; i < left_.size(); ++i) {
    out.farthest = std::max(out.farthest, far_[i]);
    double& least = whole[static_cast<std::size_t>(component[static_cast<std::size_t>(bound_[i])])];
    if (left_[i] < 1) least = std::min(least, inside * left_[i]), out.by_balls = true;
    if (planes_[i] < 1) least = std::min(least, inside * planes_[i]), ++out.by_planes;
  }
  out.farthest = std::sqrt(out.farthest);
  if (out.any())
    for (std::size_t v = 0; v < component.size(); ++v) {
      const double t = whole[static_cast<std::size_t>(component[v])];
      for (std::size_t k = 3 * v; k < 3 * v + 3 && t < 1; ++k) to[k] = from[k] + t * (to[k] - from[k]);
    }
  for (std::size_t c = 0; c < part.size(); ++c) part[c] = std::min(part[c], whole[c]);
  if (alike) return out;
  each([&](std::size_t i, const double* at, const double* step, double* end) {
    left_[i] = within_planes(i, at, step);
    for (int k = 0; k < 3 && left_[i] < 1; ++k) end[k] = at[k] + inside * left_[i] * step[k];
  });
  for (std::size_t i = 0; i < left_.size(); ++i) {
    if (!(left_[i] < 1)) continue;
    ++out.by_planes;
    of(i) = std::min(
        of(i), inside * left_[i] * whole[static_cast<std::size_t>(component[static_cast<std::size_t>(bound_[i])])]);
  }
  return out;
}

}  // namespace resilin
