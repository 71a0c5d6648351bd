#include "contact/obstacles/vertex_sweeps.h"

#include <algorithm>
#include <cmath>

#include "contact/obstacles/distances.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double touching = 1e-6;      // of the way: as near counts as reached
constexpr double least_step = 0.25;    // of the thickness: too short to reach the other half of the obstacle
constexpr int most_steps = 4000;       // a vertex that needs more slides along the surface
constexpr int halvings = 40;           // of the last step before the entry
constexpr double least_cosine = 0.88;  // of how far an obstacle turns: half a radian

// Eight points, [3][8].
struct Points {
  alignas(64) double x[3 * lanes];
  Pack axis(int k) const { return load(x + k * lanes); }
  Vec3 of(std::size_t lane) const { return {x[lane], x[lanes + lane], x[2 * lanes + lane]}; }
};

void to_own(const Pose& pose, Points& points) { to_own(pose, points.x, points.x); }

bool turns_far(const Pose& a, const Pose& b) {
  double trace = 0;  // 1 + 2 cos
  for (int i = 0; i < 9; ++i) trace += a.turn[i] * b.turn[i];
  return !(trace >= 1 + 2 * least_cosine);
}

// A vertex on its way, which has length 1 to it.
struct Walker {
  enum class Place { outside, inside, free, stopped };
  Place place = Place::outside;
  double part = 0;
  double outside = 0, entry = 0;  // the last point outside before it went in, and the first inside
  Vec3 side{0, 0, 1};             // normal where it went in

  bool walks() const { return place == Place::outside || place == Place::inside; }
  /// Steps are at least `least` long: a vertex that slides along the surface has next to no distance to go by.
  void see(double distance, const Vec3& normal, double least) {
    if (place == Place::inside && dot(normal, side) < 0) return void(place = Place::stopped);
    const bool out = distance > touching;
    if (out) place = Place::outside, outside = part;  // perhaps again: it only grazed
    else if (place == Place::outside) place = Place::inside, entry = part, side = normal;
    if (part >= 1) return void(place = Place::free);
    part = std::min(part + std::max({std::abs(distance), 2 * touching, least}), 1.0);
  }
};

class Walk {
 public:
  Walk(const Obstacle& obstacle, const Points& from, const Points& to) : obstacle_(obstacle), from_(from) {
    Pack squares = {};
    for (int k = 0; k < 3; ++k) step_[k] = to.axis(k) - from.axis(k), squares += step_[k] * step_[k];
    store(length_, sqrt(squares));
  }
  Points at(const Walker* walkers) const {
    alignas(64) double part[lanes];
    for (int l = 0; l < lanes; ++l) part[l] = walkers[l].part;
    Points out;
    for (int k = 0; k < 3; ++k) store(out.x + k * lanes, from_.axis(k) + load(part) * step_[k]);
    return out;
  }
  void run(Walker* walkers) const {
    for (int step = 0; step < most_steps; ++step) {
      if (std::none_of(walkers, walkers + lanes, [](const Walker& w) { return w.walks(); })) break;
      Distances here;
      obstacle_.measure(at(walkers).x, 1, here);
      for (int l = 0; l < lanes; ++l)
        if (walkers[l].walks())
          walkers[l].see(here.value[l] / length_[l], {here.normal[0][l], here.normal[1][l], here.normal[2][l]},
                         least_step * obstacle_.thickness() / length_[l]);
    }
    if (std::any_of(walkers, walkers + lanes, [](const Walker& w) { return w.place == Walker::Place::stopped; }))
      find_entries(walkers);
  }

 private:
  // Bisection between the last point outside and the first inside.
  void find_entries(Walker* walkers) const {
    for (int i = 0; i < halvings; ++i) {
      for (int l = 0; l < lanes; ++l) walkers[l].part = 0.5 * (walkers[l].outside + walkers[l].entry);
      Distances here;
      obstacle_.measure(at(walkers).x, 1, here);
      for (int l = 0; l < lanes; ++l) {
        Walker& w = walkers[l];
        (here.value[l] > touching * length_[l] ? w.outside : w.entry) = w.part;
      }
    }
  }

  const Obstacle& obstacle_;
  const Points& from_;
  Pack step_[3];
  alignas(64) double length_[lanes];
};

Points gathered(std::span<const double> x, const int* ways) {
  Points out;
  for (int l = 0; l < lanes; ++l)
    for (int k = 0; k < 3; ++k) out.x[k * lanes + l] = x[3 * ways[l] + k];
  return out;
}

// Those that are long enough to lead through.
std::vector<int> long_ways(const Obstacle& obstacle, const Pose& before, const Pose& after,
                           const VertexSweeps& ways) {
  const int count = static_cast<int>(ways.from.size() / 3);
  const double half = 0.5 * obstacle.thickness();
  std::vector<int> out;
  for (int first = 0; first < count; first += lanes) {
    int ids[lanes];
    for (int l = 0; l < lanes; ++l) ids[l] = std::min(first + l, count - 1);
    Points from = gathered(ways.from, ids), to = gathered(ways.to, ids);
    to_own(before, from), to_own(after, to);
    Pack squares = {};
    for (int k = 0; k < 3; ++k) squares += (to.axis(k) - from.axis(k)) * (to.axis(k) - from.axis(k));
    alignas(64) double room[lanes], length[lanes];
    obstacle.lower_bound(from.x, room);
    store(length, sqrt(squares));
    for (int l = 0; l < lanes && first + l < count; ++l)
      if (length[l] > 0 && length[l] > room[l] + half) out.push_back(first + l);
  }
  return out;
}

}  // namespace

void sweep_vertices(const Obstacle& obstacle, const Motion& motion, const VertexSweeps& ways,
                    std::vector<SweepHit>& out) {
  if (ways.from.empty() || !std::isfinite(obstacle.thickness())) return;
  const Pose before = pose_at(motion, ways.t0), after = pose_at(motion, ways.t1);
  if (turns_far(before, after)) return;
  std::vector<int> ids = long_ways(obstacle, before, after, ways);
  const std::size_t count = ids.size();
  if (count > 0) ids.resize((count + lanes - 1) / lanes * lanes, ids.back());
  for (std::size_t first = 0; first < count; first += lanes) {
    Points from = gathered(ways.from, &ids[first]), to = gathered(ways.to, &ids[first]);
    to_own(before, from), to_own(after, to);
    Walker walkers[lanes];
    const Walk walk(obstacle, from, to);
    walk.run(walkers);
    for (Walker& w : walkers) w.part = w.entry = w.outside;
    const Points entries = walk.at(walkers);
    for (std::size_t l = 0; l < lanes && first + l < count; ++l) {
      if (walkers[l].place != Walker::Place::stopped) continue;
      const Vec3 past = (1 - walkers[l].entry) * (to.of(l) - from.of(l));
      const Vec3 normal = after.world(walkers[l].side) - after.world({0, 0, 0});
      out.push_back({ids[first + l], after.world(entries.of(l)), normal, norm(past), obstacle.thickness()});
    }
  }
}

}  // namespace resilin
