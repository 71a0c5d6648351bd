#include "contact/islands/initial_overlaps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "contact/impulse.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr const char* key = "contact.tangled";
constexpr double separation_time = 0.25;                            // [s]
constexpr double touching = 0.02, free = 0.9;                       // of the radius
constexpr int sweeps = 8;                                           // over all bodies that are led apart at once
constexpr double gain = 0.5, most_gravities = 10, most_speeds = 4;  // of what is asked for besides
constexpr std::size_t kept_numbers = 7;

// The least shift that parts the hulls of two bodies.
BodyOverlap way_out(const ContactSurface& surface, const double* x, BodyPair bodies) {
  const auto each = [&](int body, auto&& visit) {
    for (const int v : surface.vertices)
      if (surface.body[v] == body) visit(vertex_at(x, v));
  };
  std::array<Vec3, 2> middle{};
  for (std::size_t i = 0; i < 2; ++i) {
    int count = 0;
    each(bodies[i], [&](const Vec3& p) { middle[i] = middle[i] + p, ++count; });
    middle[i] = (1.0 / std::max(1, count)) * middle[i];
  }
  std::vector<Vec3> directions;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k)
        if (i != 0 || j != 0 || k != 0) directions.push_back({double(i), double(j), double(k)});
  directions.push_back(middle[1] - middle[0]);
  BodyOverlap best{bodies, {0, 1, 0}, std::numeric_limits<double>::infinity(), 0};
  for (const Vec3& direction : directions) {
    if (!(norm(direction) > 0)) continue;
    const Vec3 n = (1 / norm(direction)) * direction;
    double above = -std::numeric_limits<double>::infinity(), below = -above;
    each(bodies[0], [&](const Vec3& p) { above = std::max(above, dot(n, p)); });
    each(bodies[1], [&](const Vec3& p) { below = std::min(below, dot(n, p)); });
    // Axes first: a slanted way must be clearly shorter.
    if (above - below < 0.999 * best.depth - (std::isfinite(best.depth) ? 1e-9 * norm(middle[1] - middle[0]) : 0))
      best.out = n, best.depth = above - below;
  }
  best.depth = std::max(0.0, best.depth);
  return best;
}

bool any_of(const std::vector<BodyOverlap>& list, const BodyPair& bodies) {
  return std::any_of(list.begin(), list.end(), [&](const BodyOverlap& t) { return t.bodies == bodies; });
}

}  // namespace

std::vector<BodyOverlap> find_overlaps(const ContactSurface& surface, const double* x) {
  const auto finite = [&](int v) {
    return std::all_of(x + 3 * v, x + 3 * v + 3, [](double number) { return std::abs(number) <= 1e15; });
  };
  if (!std::all_of(surface.vertices.begin(), surface.vertices.end(), finite)) return {};
  std::map<BodyPair, int> count;
  for (const Intersection& crossing : crossings(surface, x)) {
    const int a = surface.edge_body[crossing.edge], b = surface.triangle_body[crossing.triangle];
    ++count[{std::min(a, b), std::max(a, b)}];
  }
  std::vector<BodyOverlap> out;
  for (const auto& [bodies, crossings] : count) {
    out.push_back(bodies[0] == bodies[1] ? BodyOverlap{bodies} : way_out(surface, x, bodies));
    out.back().crossings = crossings;
  }
  return out;
}

InitialOverlaps::InitialOverlaps(const ContactSettings& options, const ContactSurface& surface, const Model& model,
                                 double radius, std::uint64_t stamp)
    : options_(options), surface_(surface), model_(model), radius_(radius), stamp_(stamp) {}

bool InitialOverlaps::contains(int a, int b) const { return any_of(overlaps_, {a, b}); }

// Pairs among the bodies with contact; only among overlapping ones once there are any.
std::vector<BodyPair> InitialOverlaps::nearer(const double* x, double distance, ThreadPool& pool) {
  if (!finder_)
    finder_ = std::make_unique<PairFinder>(surface_, model_.rest.data(), [this](int a, int b) {
      return wanted(a, b) && (overlaps_.empty() || contains(a, b));
    });
  std::vector<ContactPair> pairs;
  if (!finder_->find(x, distance, pool, pairs)) pairs.clear();
  std::vector<BodyPair> out;
  for (const ContactPair& pair : pairs) {
    const int a = surface_.body[pair.vertices[0]], b = surface_.body[pair.vertices[3]];
    out.push_back({std::min(a, b), std::max(a, b)});
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<BodyOverlap> InitialOverlaps::at_start(const double* x, ThreadPool& pool) {
  std::vector<BodyOverlap> out = find_overlaps(surface_, x);
  for (const BodyPair& pair : nearer(x, touching * radius_, pool))
    if (!any_of(out, pair)) out.push_back(pair[0] == pair[1] ? BodyOverlap{pair} : way_out(surface_, x, pair));
  std::erase_if(out, [&](const BodyOverlap& t) { return !wanted(t.bodies[0], t.bodies[1]); });
  std::sort(out.begin(), out.end(), [](const BodyOverlap& a, const BodyOverlap& b) { return a.bodies < b.bodies; });
  return out;
}

void InitialOverlaps::drop_parted(const double* x, ThreadPool& pool) {
  const std::vector<BodyPair> close = nearer(x, free * radius_, pool), touch = nearer(x, touching * radius_, pool);
  const std::vector<BodyOverlap> crossed = find_overlaps(surface_, x);
  std::erase_if(overlaps_, [&](const BodyOverlap& t) {
    const auto& near = t.bodies[0] == t.bodies[1] ? touch : close;
    return !std::binary_search(near.begin(), near.end(), t.bodies) && !any_of(crossed, t.bodies);
  });
}

void InitialOverlaps::begin(const double* x, const Memory& memory, ThreadPool& pool) {
  held_.assign(model_.bodies.size(), 0);
  for (const Pin& pin : model_.pins)
    for (const int v : pin.vertices)
      if (const int body = surface_.body[v]; body >= 0) held_[body] = 1;
  const auto* kept = memory.find(key, stamp_);
  overlaps_.clear();
  if (kept == nullptr) return void(overlaps_ = at_start(x, pool));
  for (std::size_t i = 0; i + kept_numbers <= kept->size(); i += kept_numbers) {
    const double* n = &(*kept)[i];
    overlaps_.push_back({{static_cast<int>(n[0]), static_cast<int>(n[1])}, {n[2], n[3], n[4]}, n[5], 0, n[6]});
  }
  if (!overlaps_.empty()) drop_parted(x, pool);
}

void InitialOverlaps::detect_overlaps(const double* x) {
  for (const BodyOverlap& crossed : find_overlaps(surface_, x))
    if (wanted(crossed.bodies[0], crossed.bodies[1]) && !contains(crossed.bodies[0], crossed.bodies[1]))
      overlaps_.push_back(crossed);
}

void InitialOverlaps::end(Memory& memory) const {
  std::vector<double>& kept = memory.keep(key, stamp_);
  kept.clear();
  for (const BodyOverlap& t : overlaps_)
    kept.insert(kept.end(),
                {double(t.bodies[0]), double(t.bodies[1]), t.out[0], t.out[1], t.out[2], t.depth, t.more});
  kept.push_back(-1);  // so that none is told from not looked at
}

double InitialOverlaps::speed(const BodyOverlap& overlap) const {
  return (overlap.depth + radius_) / separation_time;
}

Term InitialOverlaps::push(const Stage& stage, const double* x) {
  std::vector<Vec3> velocity(model_.bodies.size(), Vec3{0, 0, 0}), change = velocity;
  std::vector<double> mass(velocity.size(), 0.0);
  for (std::size_t b = 0; b < mass.size(); ++b)
    for (int v = model_.bodies[b].first_vertex; v < model_.bodies[b].end_vertex(); ++v) {
      const double m = model_.mass[v];
      mass[b] += m;
      for (std::size_t k = 0; k < 3 && !stage.velocity.empty(); ++k)
        velocity[b][k] += m * stage.velocity[3 * v + k];
    }
  for (std::size_t b = 0; b < mass.size(); ++b) velocity[b] = (1 / std::max(mass[b], 1e-300)) * velocity[b];
  const Vec3& g = model_.gravity;
  for (BodyOverlap& t : overlaps_) {
    const double lacks = speed(t) - dot(t.out, velocity[t.bodies[1]] - velocity[t.bodies[0]]);
    const double most = most_gravities * norm(g) * stage.tau + most_speeds * speed(t);
    t.more = lacks > 0 ? std::min(most, t.more + gain * lacks) : gain * t.more;
  }
  // One after the other, several times: a body may be led by two.
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const BodyOverlap& t : overlaps_) {
      const auto [a, b] = t.bodies;
      const double lacks = speed(t) + t.more - dot(t.out, velocity[b] + change[b] - velocity[a] - change[a]);
      if (a == b || !(lacks > 0)) continue;
      const double share = held_[a] == held_[b] ? mass[a] / (mass[a] + mass[b]) : held_[a] != 0 ? 1.0 : 0.0;
      change[b] = change[b] + (share * lacks) * t.out, change[a] = change[a] - ((1 - share) * lacks) * t.out;
    }
  std::vector<char> falls(mass.size(), 0);
  for (const BodyOverlap& t : overlaps_)
    if (t.bodies[0] != t.bodies[1] && dot(g, t.out) != 0) falls[t.bodies[dot(g, t.out) < 0 ? 1 : 0]] = 1;
  std::vector<int> vertices;
  std::vector<Vec3> force, start;
  for (std::size_t b = 0; b < mass.size(); ++b) {
    const Vec3 dv = falls[b] != 0 ? change[b] - stage.tau * g : change[b];
    if (norm(dv) == 0) continue;
    for (int v = model_.bodies[b].first_vertex; v < model_.bodies[b].end_vertex(); ++v) {
      vertices.push_back(v), start.push_back(vertex_at(x, v));
      force.push_back((model_.mass[v] / stage.tau) * dv);
    }
  }
  return impulse_term("separation", vertices, std::move(force), std::move(start));
}

}  // namespace resilin
