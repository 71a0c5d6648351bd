#include "contact/body_contact.h"

#include <algorithm>
#include <cmath>

#include "contact/broad_phase/body_boxes.h"
#include "contact/impulse.h"
#include "contact/narrow_phase/closest_points.h"
#include "core/stamp.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr const char *key_of_awake = "contact.awake", *key_of_radius = "contact.radius";
constexpr double least_ball = 1, most_ball = 2;                           // of the radius
constexpr double most_of_first = 0.9, least_radius = 0.01, grows = 1.02;  // of the radius while a run begins
constexpr double wakes = 2;     // radii: bodies that are nearer after a stage are awake in the next
constexpr int most_rounds = 8;  // of reaching a start
// What starts deep in a contact is far from where it ends.
constexpr FeasibleRegion::Keeps start_keeps{.of_radius = 0.7, .of_gap = 0.5};

std::uint64_t stamp_of(const ContactSurface& surface) {
  Stamp stamp;
  stamp.add(static_cast<std::uint64_t>(surface.vertices.size()));
  stamp.add(static_cast<std::uint64_t>(surface.triangles.size()));
  return stamp.value();
}

}  // namespace

BodyContact::BodyContact(const Model& model, ThreadPool& pool)
    : model_(model),
      pool_(pool),
      between_(model.contact->between),
      self_(model.contact->self),
      safe_(model.contact->safe),
      surface_(contact_surface(model)),
      stamp_(stamp_of(surface_)),
      list_(
          *model.contact, model, surface_, [this](int a, int b) { return wanted(a, b); },
          [this](int a, int b) { return clusters_wanted(a, b); }),
      proof_(surface_, model, list_),
      overlaps_(*model.contact, surface_, model, list_.full_radius(), stamp_),
      friction_(*model.contact, surface_, stamp_) {
  terms_[0] = list_.term(), terms_[1] = friction_.none(), terms_[2] = impulse_term("separation", {}, {}, {});
}

std::vector<BodyPair> BodyContact::overlapping() const {
  std::vector<BodyPair> out;
  for (const BodyOverlap& overlap : overlaps_.all()) out.push_back(overlap.bodies);
  return out;
}

void BodyContact::begin(const Stage& stage, const Memory& memory) {
  before_ = stage.start.empty() ? stage.origin : stage.start;
  target_ = stage.target.empty() ? before_ : stage.target;  // outside of a stage nothing moves
  overlaps_.begin(before_.data(), memory, pool_);
  recall_awake(memory);
  find_radius(memory);
  begin_awake(stage, memory);
  if (!overlaps_.all().empty()) terms_[2] = overlaps_.push(stage, before_.data());
  else if (terms_[2].elements.size() > 0) terms_[2] = impulse_term("separation", {}, {}, {});
}

bool BodyContact::all_contacts_listed(const Stage& stage, const double* x, const Memory& memory) {
  const auto more = [&](const SeparationProof::Near& near) {
    return !std::includes(near_.pairs.begin(), near_.pairs.end(), near.pairs.begin(), near.pairs.end()) ||
           !std::includes(near_.folded.begin(), near_.folded.end(), near.folded.begin(), near.folded.end());
  };
  find_near(x, wakes, next_);
  if (!more(next_)) return true;
  find_near(x, 1, nearest_);
  if (!more(nearest_)) return true;
  const auto join = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
  };
  join(near_.pairs, next_.pairs), join(near_.folded, next_.folded);
  begin_awake(stage, memory);
  return false;
}

void BodyContact::end(const double* x, Memory& memory) {
  friction_.end(terms_[1], x, memory);
  measure_gap(x);
  if (!near_.pairs.empty() && pins_moved(x)) overlaps_.detect_overlaps(x);
  overlaps_.end(memory);
  std::vector<double>& kept = memory.keep(key_of_awake, stamp_);
  kept.assign(1, static_cast<double>(next_.pairs.size()));
  for (const auto& [a, b] : next_.pairs) kept.insert(kept.end(), {double(a), double(b)});
  kept.insert(kept.end(), next_.folded.begin(), next_.folded.end());
  std::vector<double>& radius = memory.keep(key_of_radius, stamp_);
  radius.assign(1, list_.radius());
}

// Of the triangles of a body that a vertex is near, the nearest: together they push like one.
void BodyContact::add_pairs(const double* x, std::vector<PairStiffness>& out) const {
  int vertex = -1, body = -1;
  double nearest = 0;
  for (std::size_t p = 0; p < list_.pairs().size(); ++p) {
    const ContactPair& pair = list_.pairs()[p];
    if (!list_.can_push(p)) continue;
    const auto at = corners_at(x, pair.vertices);
    const bool edges = pair.kind == ContactPair::edge_edge;
    const auto closest = closest_points(edges, at);
    const double r = list_.radius(p), distance = std::sqrt(closest.squared);
    if (!(distance < r) || !(distance > 0)) continue;
    const double weight = edges ? edge_part(at, distance, r) : 1;
    if (!(weight > 0)) continue;
    PairStiffness touching{
        pair.vertices, {}, {}, weight * offset_energy(distance, list_.stiffness(pair), r).curvature};
    for (std::size_t i = 0; i < 4; ++i) touching.weight[i] = closest.weight[i];
    for (std::size_t k = 0; k < 3; ++k) touching.normal[k] = closest.difference[k] / distance;
    for (std::size_t i = 0, entry = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j, ++entry)
        touching.hessian[entry] = touching.stiffness * touching.normal[i] * touching.normal[j];
    const int other = surface_.body[pair.vertices[3]];
    const bool same = !edges && pair.vertices[0] == vertex && other == body;
    if (same && distance >= nearest) continue;
    if (same) out.back() = touching;
    else out.push_back(touching);
    vertex = edges ? -1 : pair.vertices[0], body = other, nearest = distance;
  }
  friction_.add_touching(terms_[1], x, out);
}

// Every body as far as it comes without touching another one, by balls, again and again.
bool BodyContact::advance_start(const double* from, double* x) {
  std::vector<double> at(from, from + before_.size()), wanted(x, x + before_.size());
  double farthest = 0;
  for (const int v : bound_) {
    const Vec3 way = vertex_at(wanted, v) - vertex_at(at, v);
    farthest = std::max(farthest, std::hypot(way[0], way[1], way[2]));
  }
  choose_ball(farthest);
  search(at);
  for (std::size_t v = 0; v < free_.size(); ++v)
    if (free_[v] == 0) std::copy_n(&wanted[3 * v], 3, &at[3 * v]);
  const bool torn = candidates_.empty() && pins_moved(x);  // the way on is longer than the way from here
  std::vector<char> stopped(model_.bodies.size()), now(model_.bodies.size());
  for (int round = 0;; ++round) {
    std::copy(wanted.begin(), wanted.end(), x);
    for (std::size_t v = 0; v < surface_.body.size(); ++v)
      if (stopped[surface_.body[v]] != 0) std::copy_n(&at[3 * v], 3, x + 3 * v);
    const auto clipped = region_.clip_alike(at.data(), x, surface_.body, start_keeps, now, pool_);
    for (std::size_t i = 0; i < now.size(); ++i) stopped[i] = stopped[i] != 0 || now[i] != 0 ? 1 : 0;
    if (!clipped.by_balls || torn || round + 1 >= most_rounds) return round > 0;
    at.assign(x, x + before_.size());
    search(at);
  }
}

bool BodyContact::renew_lists(const double* x, const FeasibleRegion::Clipped& last) {
  if (!limits_steps() || !last.by_balls) return false;
  choose_ball(last.farthest);
  search({x, x + before_.size()});
  return true;
}

bool BodyContact::ensure_listed(const double* x) {
  if (near_.pairs.empty()) return false;
  if (listed_.empty()) return list_at(x);
  const double most = ball_ * ball_ * (1 + 1e-6);
  for (const int v : watched_) {
    const double *a = x + 3 * v, *b = &listed_[3 * v];
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    if (!(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= most)) return list_at(x);
  }
  return false;
}

FeasibleRegion::Clipped BodyContact::limit_step(const double* from, double* to, std::span<const int> component,
                                                std::span<double> fraction, bool uniform) {
  if (!limits_steps()) return {};
  if (!uniform) return region_.clip(from, to, component, fraction, pool_);
  stopped_.resize(fraction.size());
  return region_.clip_alike(from, to, component, {}, stopped_, pool_);
}

bool BodyContact::wanted(int a, int b) const {
  return std::binary_search(near_.pairs.begin(), near_.pairs.end(), BodyPair{a, b});
}
// Neighbours of a body that is not folded are near each other and do not push.
bool BodyContact::clusters_wanted(int a, int b) const {
  return proof_.body(a) != proof_.body(b) ||
         std::binary_search(near_.folded.begin(), near_.folded.end(), proof_.body(a)) || !proof_.neighbours(a, b);
}
void BodyContact::find_near(const double* x, double margin, SeparationProof::Near& out) {
  proof_.find(before_.data(), x, margin, between_, self_, pool_, out);
  leave_out_overlapping(out);
}
void BodyContact::leave_out_overlapping(SeparationProof::Near& out) const {
  std::erase_if(out.pairs, [&](const BodyPair& pair) { return overlaps_.contains(pair[0], pair[1]); });
  std::erase_if(out.folded, [&](int body) { return overlaps_.contains(body, body); });
}
void BodyContact::recall_awake(const Memory& memory) {
  const auto* kept = memory.find(key_of_awake, stamp_);
  if (kept == nullptr) return find_near(before_.data(), wakes, near_);
  near_.pairs.clear(), near_.folded.clear();
  const auto pairs = static_cast<std::size_t>((*kept)[0]);
  for (std::size_t i = 0; i < pairs; ++i)
    near_.pairs.push_back({static_cast<int>((*kept)[1 + 2 * i]), static_cast<int>((*kept)[2 + 2 * i])});
  for (std::size_t i = 1 + 2 * pairs; i < kept->size(); ++i) near_.folded.push_back(static_cast<int>((*kept)[i]));
  leave_out_overlapping(near_);
}

// A body that touches itself only is near itself everywhere: large balls would list all of it.
void BodyContact::choose_ball(double farthest) {
  ball_ = std::clamp(farthest, least_ball * list_.radius(),
                     (candidates_.empty() ? least_ball : most_ball) * list_.radius());
}

// The stage begins with the bodies that are awake.
void BodyContact::begin_awake(const Stage& stage, const Memory& memory) {
  bound_.clear(), watched_.clear();
  if (!near_.pairs.empty()) {
    free_.assign(model_.mass.size(), 1);
    for (const Pin& pin : model_.pins)
      for (const int v : pin.vertices) free_[v] = 0;
  }
  for (const int v : near_.pairs.empty() ? std::span<const int>() : std::span<const int>(surface_.vertices)) {
    const int body = surface_.body[v];
    const auto has = [&](const BodyPair& pair) { return pair[0] == body || pair[1] == body; };
    if (std::none_of(near_.pairs.begin(), near_.pairs.end(), has)) continue;
    watched_.push_back(v);
    if (free_[v] != 0) bound_.push_back(v);
  }
  begin_friction(stage, memory);
  find_candidates();
  ball_ = least_ball * list_.radius();
  list_.clear(), listed_.clear();  // found by reach, or by the first evaluation
  if (terms_[0].elements.size() > 0) terms_[0] = list_.term();
}
void BodyContact::begin_friction(const Stage& stage, const Memory& memory) {
  if (!near_.pairs.empty() && friction_.any()) {
    ball_ = 0;
    find(before_.data());
    terms_[1] = friction_.begin(list_, before_.data(), stage, memory);
  } else if (terms_[1].elements.size() > 0) {
    terms_[1] = friction_.none();
  }
}

// Bodies that are nearer than the radius when a run begins would be thrown apart: they push as far as their gap is,
// and a little farther with every step.
void BodyContact::find_radius(const Memory& memory) {
  const double full = list_.full_radius();
  const auto* kept = memory.find(key_of_radius, stamp_);
  list_.set_radius(kept != nullptr ? std::min(full, grows * (*kept)[0]) : full);
  if (kept != nullptr || near_.pairs.empty()) return;
  ball_ = 0;
  find(before_.data());
  double gap = full;
  for (std::size_t i = 0; i < list_.pairs().size(); ++i)
    if (list_.radius(i) == full) gap = std::min(gap, list_.pairs()[i].distance);
  if (gap < full) list_.set_radius(std::max(most_of_first * gap, least_radius * full));
}

// By the boxes that bodies sweep.
void BodyContact::find_candidates() {
  candidates_.clear();
  if (std::all_of(near_.pairs.begin(), near_.pairs.end(), [](const BodyPair& pair) { return pair[0] == pair[1]; }))
    return;
  std::vector<Bounds> boxes = body_boxes(surface_, before_.data());
  const std::vector<Bounds> later = body_boxes(surface_, target_.data());
  for (std::size_t i = 0; i < boxes.size(); ++i) extend(boxes[i], later[i]);
  for (const auto& [a, b] : near_pairs(boxes, (1 + 2 * most_ball) * list_.radius()))
    if (wanted(a, b)) candidates_.push_back({model_.bodies[a].first_vertex, model_.bodies[b].first_vertex});
}

void BodyContact::search(const std::vector<double>& x) {
  find(x.data());
  if (safe_) region_.set(x, list_.pairs(), ball_, list_.radius(), bound_);
  terms_[0] = list_.term();
}
// For an evaluation far from where the list was made.
bool BodyContact::list_at(const double* x) {
  if (before_.empty()) before_.assign(x, x + model_.rest.size()), ball_ = least_ball * list_.radius();
  find(x);
  terms_[0] = list_.term();
  return true;
}
void BodyContact::find(const double* x) {
  listed_.assign(x, x + model_.rest.size());
  list_.find(x, list_.radius() + 2 * ball_, pool_);
}

void BodyContact::measure_gap(const double* x) {
  gap_ = std::numeric_limits<double>::infinity();
  for (const ContactPair& pair : list_.pairs()) {
    if (surface_.body[pair.vertices[0]] == surface_.body[pair.vertices[3]]) continue;
    const auto closest = closest_points(pair.kind == ContactPair::edge_edge, corners_at(x, pair.vertices));
    gap_ = std::min(gap_, std::sqrt(closest.squared));
  }
}
bool BodyContact::pins_moved(const double* x) const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [&](int v) { return free_[v] == 0 && vertex_at(x, v) != vertex_at(before_, v); });
}

}  // namespace resilin
