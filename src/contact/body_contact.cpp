// Contact of bodies, as a term whose elements change (resilin/lagged.h):
//   energy    of the pairs that are nearer than a radius (pair_energy.h)
//   friction  of those that touched when the stage began (friction.h)
//   region    no step lets a surface pass through another (safe_region.h)
// Lists of pairs are made when a stage begins, and again where vertices want to leave the region. None of that changes Phi: a list holds whatever
// can come nearer than the radius while vertices stay in the balls around which it was made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "contact/body_boxes.h"
#include "contact/closest_points.h"
#include "contact/contact_pairs.h"
#include "contact/contact_surface.h"
#include "contact/crossings.h"
#include "contact/friction.h"
#include "contact/pair_energy.h"
#include "contact/safe_region.h"
#include "core/stamp.h"
#include "geometry/vec3.h"
#include "resilin/contact.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

constexpr double of_edge = 0.3, of_body = 0.04;    // the radius: of short edges, of the smallest body
constexpr double short_edge = 0.05;                // quantile of the edge lengths of a body
constexpr double of_solid = 0.1, of_sheet = 0.01;  // the stiffness: of the diagonal of the constant Hessian
constexpr double load_depth = 0.2;                 // of the radius: under the weight of two bodies on
constexpr double of_surface = 1.0 / 6;             // so many of its vertices
constexpr double least_ball = 0.5, most_ball = 2;  // of the radius
constexpr double at_rest = 0.95;                   // a pair pushes below this part of its distance at rest
constexpr double sewn = 0.05;                      // of the radius: nearer at rest, it is no pair
constexpr double often_clipped = 0.02;             // of all vertices: then pairs are searched anew
constexpr double most_of_first = 0.9, least_radius = 0.01, grows = 1.02;  // of the radius while a run begins
constexpr int patience = 3;     // iterates with clipped vertices, however few, after which pairs are searched anew
constexpr int most_rounds = 8;  // of reaching a start
constexpr double parallel = 0.01, ends = 0.1;  // sin^2 and part of an edge below which edges count less

// Numbers per body.
struct BodyNumbers {
  double edge, size, stiffness, mass;
  int vertices;  // of the surface
};

std::vector<BodyNumbers> measure_bodies(const Model& model, const ContactSurface& surface) {
  std::vector<double> diagonal(model.mass.size(), 0.0);
  for (const Term& term : model.terms) {
    const int rows = term.elements.rows(), corners = term.elements.corners();
    std::vector<double> q(static_cast<std::size_t>(rows * rows));
    if (!term.elements.translation_free()) continue;
    for (const auto& potential : term.elastic)
      for (int e = 0; e < term.elements.size(); ++e) {
        potential->quadratic(e, 1, q.data());
        const auto c = term.elements.coefficients(e);
        for (int a = 0; a < corners; ++a)
          for (int r = 0; r < rows; ++r)
            for (int s = 0; s < rows; ++s)
              diagonal[static_cast<std::size_t>(term.elements.vertices(e)[static_cast<std::size_t>(a)])] +=
                  term.elements.measure(e) * c[static_cast<std::size_t>(r * corners + a)] *
                  q[static_cast<std::size_t>(r * rows + s)] * c[static_cast<std::size_t>(s * corners + a)];
      }
  }
  std::vector<BodyNumbers> out(static_cast<std::size_t>(surface.body_count));
  std::vector<std::vector<double>> edges(out.size());
  for (int e = 0; e < surface.edge_count(); ++e) {
    const auto [a, b] = surface.edges[static_cast<std::size_t>(e)];
    edges[static_cast<std::size_t>(surface.edge_body[static_cast<std::size_t>(e)])].push_back(
        std::hypot(model.rest[3 * a] - model.rest[3 * b], model.rest[3 * a + 1] - model.rest[3 * b + 1],
                   model.rest[3 * a + 2] - model.rest[3 * b + 2]));
  }
  const std::vector<Bounds> boxes = body_boxes(surface, model.rest.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Body& body = model.bodies[i];
    const Vec3 extent = boxes[i].upper - boxes[i].lower;
    auto& lengths = edges[i];
    const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(short_edge * static_cast<double>(lengths.size()));
    if (!lengths.empty()) std::nth_element(lengths.begin(), at, lengths.end());
    out[i].vertices = static_cast<int>(std::count(surface.body.begin(), surface.body.end(), static_cast<int>(i)));
    out[i].edge = lengths.empty() ? std::numeric_limits<double>::infinity() : *at;
    out[i].size = norm(extent);
    double sum = 0;
    int count = 0;
    out[i].mass = 0;
    for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
      out[i].mass += model.mass[static_cast<std::size_t>(v)];
      sum += diagonal[static_cast<std::size_t>(v)], ++count;
    }
    out[i].stiffness = (body.tets.empty() ? of_sheet : of_solid) * sum / std::max(1, count);
  }
  return out;
}

double automatic_radius(const std::vector<BodyNumbers>& bodies) {
  double radius = std::numeric_limits<double>::infinity();
  for (const BodyNumbers& body : bodies) {
    radius = std::min(radius, of_edge * body.edge);
    if (body.size > 0) radius = std::min(radius, of_body * body.size);
  }
  return std::isfinite(radius) ? radius : 0;
}

double smooth_step(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

class Touching final : public LaggedTerm {
 public:
  Touching(const BodyContact& options, const Model& model, ThreadPool& pool)
      : options_(options),
        model_(model),
        pool_(pool),
        surface_(contact_surface(model)),
        finder_(surface_, model.rest.data(), [this](int a, int b) { return wanted(a, b); }),
        bodies_(measure_bodies(model, surface_)),
        full_radius_(options.radius > 0 ? options.radius : automatic_radius(bodies_)),
        radius_(full_radius_) {
    Stamp stamp;
    stamp.add(static_cast<std::uint64_t>(surface_.vertices.size()));
    stamp.add(static_cast<std::uint64_t>(surface_.triangles.size()));
    stamp_ = stamp.value();
    list();
    terms_[1] = friction_term(Elements(ElementKind::pair), {});
  }

  std::span<const Term> terms() const override { return terms_; }
  bool bounds_steps() const override { return options_.safe; }
  std::span<const std::array<int, 2>> meeting() const override { return meeting_; }

  void begin(const Stage& stage, const Memory& memory) override {
    before_ = stage.start.empty() ? stage.origin : stage.start;
    target_ = stage.target.empty() ? before_ : stage.target;  // outside of a stage nobody goes anywhere
    free_.assign(model_.mass.size(), 1);
    for (const Pin& pin : model_.pins)
      for (const int v : pin.vertices) free_[static_cast<std::size_t>(v)] = 0;
    bound_.clear();
    for (const int v : surface_.vertices)
      if (free_[static_cast<std::size_t>(v)] != 0) bound_.push_back(v);
    find_tangles(memory);
    find_radius(memory);
    begin_friction(stage, memory);
    find_meeting();
    ball_ = least_ball * radius_;
    pairs_.clear(), listed_.clear();  // found by reach, or by the first evaluation
    clipped_ = {}, waited_ = 0;
    list();
  }
  void end(const double* x, Memory& memory) override {
    end_friction(x, memory);
    std::vector<double>& kept = memory.keep("contact.tangled", stamp_);
    kept.clear();
    for (const auto& [a, b] : tangled_) kept.insert(kept.end(), {double(a), double(b)});
    kept.push_back(-1);  // so that none is told from not looked at
    memory.keep("contact.radius", stamp_) = {radius_};
  }

  // Friction --------------------------------------------------------------------------------------------------------------

  // A vertex on a body, or two edges: who rubs. The slip of a vertex outlives the triangle that it slides on.
  struct Rubbing {
    std::array<int, 3> key;  // kind, vertex or edge, body or edge
    ContactPair pair;
    double force[3];  // on side A [N]
    double stiffness;
    bool stuck = false;  // when the last stage ended
  };

  double coefficient(int a, int b) const {
    for (const BodyContact::Pair& pair : options_.pairs)
      if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a)) return pair.friction;
    return options_.friction;
  }

  // What touched where the stage began: pushes of a vertex by all triangles of a body are one.
  void find_rubbing() {
    rubbing_.clear();
    if (!(options_.friction > 0) && options_.pairs.empty()) return;
    ball_ = 0;
    find(before_.data());
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const ContactPair& pair = pairs_[p];
      const bool edges = pair.kind == ContactPair::edge_edge;
      const int a = surface_.body[static_cast<std::size_t>(pair.vertices[0])],
                b = surface_.body[static_cast<std::size_t>(pair.vertices[3])];
      const double weight = edges ? edge_weight(pair) : 1, r = radii_[p];
      if (!(coefficient(a, b) > 0) || !(pair.distance < r) || !(weight > 0)) continue;
      const OffsetEnergy here = offset_energy(pair.distance, weight * stiffness(pair), r);
      const std::array<int, 3> key = {edges ? 1 : 0, pair.first, edges ? pair.second : b};
      const bool same = !edges && !rubbing_.empty() && rubbing_.back().key == key;
      if (!same) rubbing_.push_back({key, pair, {0, 0, 0}, here.curvature});
      Rubbing& rubbing = rubbing_.back();
      if (pair.distance < rubbing.pair.distance) rubbing.pair = pair, rubbing.stiffness = here.curvature;
      if (edges)
        std::transform(pair.normal, pair.normal + 3, rubbing.force, [&](double n) { return -here.slope * n; });
    }
    add_vertex_forces();
  }
  // The gradient of the energy itself: it is what inclusion and exclusion leave of many triangles.
  void add_vertex_forces() {
    std::size_t at = 0;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const ContactPair& pair = pairs_[p];
      if (pair.kind == ContactPair::edge_edge) return;
      const std::array<int, 3> key = {0, pair.first, surface_.body[static_cast<std::size_t>(pair.vertices[3])]};
      while (at < rubbing_.size() && rubbing_[at].key < key) ++at;
      if (at == rubbing_.size() || rubbing_[at].key != key) continue;
      const auto force = vertex_force(pair_numbers(p), pair.vertices, before_.data());
      for (std::size_t k = 0; k < 3; ++k) rubbing_[at].force[k] += force[k];
    }
  }
  void begin_friction(const Stage& stage, const Memory& memory) {
    find_rubbing();
    Elements elements(ElementKind::pair);
    std::vector<FrictionContact> contacts;
    const auto* kept = memory.find("contact.slip", stamp_);
    for (Rubbing& rubbing : rubbing_) {
      const ContactPair& pair = rubbing.pair;
      const double size = std::hypot(rubbing.force[0], rubbing.force[1], rubbing.force[2]);
      FrictionContact contact;
      contact.stiffness = rubbing.stiffness;
      contact.limit = size * coefficient(surface_.body[static_cast<std::size_t>(pair.vertices[0])],
                                         surface_.body[static_cast<std::size_t>(pair.vertices[3])]);
      std::array<double, 3> at{}, ahead{};
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t x = 3 * static_cast<std::size_t>(pair.vertices[i]) + k;
          at[k] += pair.weight[i] * before_[x];
          if (!stage.velocity.empty()) ahead[k] += pair.weight[i] * stage.tau * stage.velocity[x];
        }
      for (std::size_t k = 0; k < 3; ++k)
        contact.normal[k] = size > 0 ? rubbing.force[k] / size : pair.normal[k], contact.anchor[k] = at[k];
      const double* slip = kept != nullptr ? find_slip(*kept, rubbing.key) : nullptr;
      if (slip != nullptr) {
        for (std::size_t k = 0; k < 3; ++k) contact.anchor[k] -= slip[k];
        rubbing.stuck = slip[3] != 0;
      } else {  // as friction.cpp's arrivals: it has slid for tau as fast as it comes
        for (std::size_t k = 0; k < 3; ++k) ahead[k] += at[k];
        const auto slid = slip_of(contact, ahead.data());
        const double length = std::hypot(slid[0], slid[1], slid[2]), most = contact.limit / contact.stiffness;
        for (std::size_t k = 0; k < 3; ++k) contact.anchor[k] -= (length > most ? most / length : 1) * slid[k];
      }
      elements.add(pair.vertices, pair.weight, 1);
      contacts.push_back(contact);
    }
    terms_[1] = friction_term(std::move(elements), std::move(contacts));
  }
  // Kind, two numbers, slip of three, whether it stuck: by ascending keys.
  static const double* find_slip(const std::vector<double>& kept, const std::array<int, 3>& key) {
    constexpr std::size_t size = 7;
    std::size_t low = 0, high = kept.size() / size;
    const auto of = [&](std::size_t i) {
      return std::array<int, 3>{int(kept[size * i]), int(kept[size * i + 1]), int(kept[size * i + 2])};
    };
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (of(middle) < key) low = middle + 1;
      else high = middle;
    }
    return low < kept.size() / size && of(low) == key ? &kept[size * low + 3] : nullptr;
  }
  void end_friction(const double* x, Memory& memory) {
    std::vector<double>& kept = memory.keep("contact.slip", stamp_);
    kept.clear();
    const auto& contacts = static_cast<const Friction&>(*terms_[1].elastic[0]).contacts();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const ContactPair& pair = rubbing_[i].pair;
      double z[3] = {};
      for (std::size_t v = 0; v < 4; ++v)
        for (std::size_t k = 0; k < 3; ++k)
          z[k] += pair.weight[v] * x[3 * static_cast<std::size_t>(pair.vertices[v]) + k];
      FrictionContact contact = contacts[i];
      const bool stuck = return_map(contact, z);
      const auto slip = slip_of(contact, z);
      for (const int number : rubbing_[i].key) kept.push_back(number);
      kept.insert(kept.end(), slip.begin(), slip.end());
      kept.push_back(stuck ? 1 : 0);
    }
  }

  // Of the triangles of a body that a vertex is near, the nearest: together they push like one.
  void touching(const double* x, std::vector<TouchingPair>& out) const override {
    int vertex = -1, body = -1;
    double nearest = 0;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const ContactPair& pair = pairs_[p];
      const double* at[4];
      for (std::size_t i = 0; i < 4; ++i) at[i] = x + 3 * static_cast<std::size_t>(pair.vertices[i]);
      const bool edges = pair.kind == ContactPair::edge_edge;
      const auto closest = edges ? closest_edge_edge(at[0], at[1], at[2], at[3])
                                 : closest_vertex_triangle(at[0], at[1], at[2], at[3]);
      const double r = radii_[p], distance = std::sqrt(closest.squared);
      if (!(distance < r) || !(distance > 0)) continue;
      const double weight = edges ? edge_weight(pair) : 1;
      if (!(weight > 0)) continue;
      TouchingPair touching{pair.vertices, {}, {}, weight * offset_energy(distance, stiffness(pair), r).curvature};
      for (std::size_t i = 0; i < 4; ++i) touching.weight[i] = closest.weight[i];
      for (std::size_t k = 0; k < 3; ++k) touching.normal[k] = closest.difference[k] / distance;
      const int other = surface_.body[static_cast<std::size_t>(pair.vertices[3])];
      const bool same = !edges && pair.vertices[0] == vertex && other == body;
      if (same && distance >= nearest) continue;
      if (same) out.back() = touching;
      else out.push_back(touching);
      vertex = edges ? -1 : pair.vertices[0], body = other, nearest = distance;
    }
    // Only what stuck: rows would brake what slides.
    for (const Rubbing& rubbing : rubbing_)
      if (rubbing.stuck) {
        TouchingPair stuck{rubbing.pair.vertices, {}, {}, 0, rubbing.stiffness};
        std::copy_n(rubbing.pair.weight, 4, stuck.weight.begin());
        std::copy_n(rubbing.pair.normal, 3, stuck.normal.begin());
        out.push_back(stuck);
      }
  }

  // As far as balls allow, again and again; planes end it, and then half of the way to them is left: what starts deep in a contact is far from
  // where it ends.
  bool reach(const double* from, double* x) override {
    std::vector<double> at(from, from + before_.size()), wanted(x, x + before_.size());
    double farthest = 0;
    for (const int v : bound_) {
      const std::size_t i = 3 * static_cast<std::size_t>(v);
      farthest =
          std::max(farthest, std::hypot(wanted[i] - at[i], wanted[i + 1] - at[i + 1], wanted[i + 2] - at[i + 2]));
    }
    ball_ = std::clamp(farthest, least_ball * radius_, most_ball * radius_);
    search(at);
    for (std::size_t v = 0; v < free_.size(); ++v)
      if (free_[v] == 0) std::copy_n(&wanted[3 * v], 3, &at[3 * v]);
    std::vector<double> part(model_.bodies.size());
    for (int round = 0;; ++round) {
      std::copy(wanted.begin(), wanted.end(), x);
      std::fill(part.begin(), part.end(), 1.0);
      const auto clipped = region_.clip(at.data(), x, surface_.body, part, true, pool_);
      if (clipped.by_planes > 0)
        for (std::size_t i = 0; i < at.size(); ++i) x[i] = 0.5 * (x[i] + at[i]);
      clipped_ = {};
      if (clipped.by_planes > 0 || !clipped.by_balls || round + 1 >= most_rounds) return round > 0;
      at.assign(x, x + before_.size());
      search(at);
    }
  }
  Change refresh(const double* x) override {
    waited_ = clipped_.any() ? waited_ + 1 : 0;
    if (!options_.safe || !(often() || waited_ >= patience)) return Change::nothing;
    ball_ = std::clamp(clipped_.farthest, least_ball * radius_, most_ball * radius_);
    search({x, x + before_.size()});
    return Change::elements;
  }
  bool cover(const double* x) override {
    if (listed_.empty()) return listed_at(x);
    const double most = ball_ * ball_ * (1 + 1e-6);
    for (const int v : surface_.vertices) {
      const double *a = x + 3 * static_cast<std::size_t>(v), *b = &listed_[3 * static_cast<std::size_t>(v)];
      const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
      if (!(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= most)) return listed_at(x);
    }
    return false;
  }
  bool clip(const double* from, double* to, std::span<const int> component, std::span<double> part,
            bool alike) override {
    if (!options_.safe) return false;
    clipped_ = region_.clip(from, to, component, part, alike, pool_);
    return clipped_.any();
  }

 private:
  bool wanted(int a, int b) const {
    return (a == b ? options_.self : options_.between) && !tangled_.contains({a, b});
  }
  bool often() const {
    return clipped_.by_balls || clipped_.by_planes > often_clipped * static_cast<double>(bound_.size());
  }
  double reach_of_list() const { return radius_ + 2 * ball_; }

  // Bodies that pass through each other when a run begins may go on until they have come apart.
  void find_tangles(const Memory& memory) {
    const auto* kept = memory.find("contact.tangled", stamp_);
    tangled_.clear();
    for (std::size_t i = 0; kept != nullptr && i + 1 < kept->size(); i += 2)
      tangled_.insert({static_cast<int>((*kept)[i]), static_cast<int>((*kept)[i + 1])});
    if (kept != nullptr && tangled_.empty()) return;
    tangled_.clear();
    for (const Crossing& crossing : crossings(surface_, before_.data())) {
      const int a = surface_.edge_body[static_cast<std::size_t>(crossing.edge)],
                b = surface_.triangle_body[static_cast<std::size_t>(crossing.triangle)];
      if (kept == nullptr || had(*kept, std::min(a, b), std::max(a, b)))
        tangled_.insert({std::min(a, b), std::max(a, b)});
    }
  }
  static bool had(const std::vector<double>& kept, int a, int b) {
    for (std::size_t i = 0; i + 1 < kept.size(); i += 2)
      if (kept[i] == a && kept[i + 1] == b) return true;
    return false;
  }

  // Bodies that are nearer than the radius when a run begins would be thrown apart: they push as far as their gap is, and a little farther
  // with every step.
  void find_radius(const Memory& memory) {
    const auto* kept = memory.find("contact.radius", stamp_);
    radius_ = full_radius_;
    if (kept != nullptr) {
      radius_ = std::min(full_radius_, grows * (*kept)[0]);
      return;
    }
    ball_ = 0;
    find(before_.data());
    double gap = full_radius_;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (radii_[i] == full_radius_) gap = std::min(gap, pairs_[i].distance);
    radius_ = gap < full_radius_ ? std::max(most_of_first * gap, least_radius * full_radius_) : full_radius_;
  }

  // By the boxes that bodies sweep.
  void find_meeting() {
    meeting_.clear();
    if (!options_.between) return;
    std::vector<Bounds> boxes = body_boxes(surface_, before_.data());
    const std::vector<Bounds> later = body_boxes(surface_, target_.data());
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        boxes[i].lower[k] = std::min(boxes[i].lower[k], later[i].lower[k]);
        boxes[i].upper[k] = std::max(boxes[i].upper[k], later[i].upper[k]);
      }
    for (const auto& [a, b] : near_pairs(boxes, (1 + 2 * most_ball) * radius_))
      if (!tangled_.contains({a, b}))
        meeting_.push_back({model_.bodies[static_cast<std::size_t>(a)].first_vertex,
                            model_.bodies[static_cast<std::size_t>(b)].first_vertex});
  }

  void search(const std::vector<double>& x) {
    centre_ = x;
    find(x.data());
    if (options_.safe) region_.set(centre_, pairs_, target_, ball_, radius_, bound_);
    clipped_ = {}, waited_ = 0;
    list();
  }
  // For an evaluation far from where the list was made.
  bool listed_at(const double* x) {
    if (before_.empty()) before_.assign(x, x + model_.rest.size()), ball_ = least_ball * radius_;
    find(x);
    list();
    return true;
  }
  void find(const double* x) {
    listed_.assign(x, x + model_.rest.size());
    if (!(radius_ > 0) || !finder_.find(x, reach_of_list(), pool_, pairs_)) pairs_.clear();
    radii_.clear();
    std::size_t kept = 0;
    for (const ContactPair& pair : pairs_) {
      const double own = own_radius(pair);
      if (!(own > sewn * radius_)) continue;
      radii_.push_back(own);
      pairs_[kept++] = pair;
    }
    pairs_.resize(kept);
  }

  // Parts of one body that are near each other at rest push less far.
  double own_radius(const ContactPair& pair) const {
    const auto body = [&](int i) {
      return surface_.body[static_cast<std::size_t>(pair.vertices[static_cast<std::size_t>(i)])];
    };
    if (body(0) != body(3)) return radius_;
    const double* x[4];
    for (int i = 0; i < 4; ++i)
      x[i] = &model_.rest[3 * static_cast<std::size_t>(pair.vertices[static_cast<std::size_t>(i)])];
    const ClosestPoints<double> closest = pair.kind == ContactPair::vertex_triangle
                                              ? closest_vertex_triangle(x[0], x[1], x[2], x[3])
                                              : closest_edge_edge(x[0], x[1], x[2], x[3]);
    return std::min(radius_, at_rest * std::sqrt(closest.squared));
  }
  double stiffness(const ContactPair& pair) const {
    if (options_.stiffness > 0) return options_.stiffness;
    const auto body = [&](int i) -> const BodyNumbers& {
      return bodies_[static_cast<std::size_t>(
          surface_.body[static_cast<std::size_t>(pair.vertices[static_cast<std::size_t>(i)])])];
    };
    const BodyNumbers &a = body(0), &b = body(3);
    double k = a.stiffness > 0 && b.stiffness > 0 ? std::min(a.stiffness, b.stiffness)
                                                  : std::max(a.stiffness, b.stiffness);
    const double gravity = std::hypot(model_.gravity[0], model_.gravity[1], model_.gravity[2]);
    const double mass = &a == &b ? a.mass : a.mass + b.mass;
    const double touch = std::max(4.0, of_surface * std::min(a.vertices, b.vertices));
    k = std::max(k, mass * gravity / (touch * load_depth * radius_));
    return k;
  }

  // What edges count, by how they lay before the step: ends are the business of vertices, parallel edges have no closest points.
  double edge_weight(const ContactPair& pair) const {
    const double* x[4];
    for (int i = 0; i < 4; ++i)
      x[i] = &before_[3 * static_cast<std::size_t>(pair.vertices[static_cast<std::size_t>(i)])];
    const auto closest = closest_edge_edge(x[0], x[1], x[2], x[3]);
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; ++k) u[k] = x[1][k] - x[0][k], v[k] = x[3][k] - x[2][k];
    cross(u, v, n);
    const double sizes = detail::dot(u, u) * detail::dot(v, v);
    const double sine = sizes > 0 ? detail::dot(n, n) / sizes : 0;
    const double s = closest.weight[1], t = -closest.weight[3];
    return smooth_step(sine / parallel) * smooth_step(s / ends) * smooth_step((1 - s) / ends) *
           smooth_step(t / ends) * smooth_step((1 - t) / ends);
  }

  double side(const ContactPair& pair) const {
    return side_of(pair.kind == ContactPair::edge_edge, pair.vertices, pair.normal, listed_.data());
  }
  VertexTriangle pair_numbers(std::size_t of) const {
    const ContactPair& pair = pairs_[of];
    const auto triangle = static_cast<std::size_t>(pair.second);
    VertexTriangle out{stiffness(pair), radii_[of], {}, {}, side(pair)};
    for (std::size_t i = 0; i < 3; ++i) {
      const int e = surface_.triangle_edges[triangle][i], p = surface_.triangles[triangle][i];
      out.inner_edges[i] = surface_.edge_triangles[e].size() == 2 ? 0.5 : 0;
      out.inner_corners[i] = surface_.on_border[static_cast<std::size_t>(p)] != 0
                                 ? 0
                                 : 1.0 / static_cast<double>(surface_.vertex_triangles[p].size());
    }
    return out;
  }

  void list() {
    PairTerm term;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const ContactPair& pair = pairs_[i];
      if (pair.kind == ContactPair::vertex_triangle) {
        term.add(pair.vertices, pair_numbers(i));
        continue;
      }
      const double weight = edge_weight(pair);
      if (weight > 0) term.add(pair.vertices, EdgeEdge{weight * stiffness(pair), radii_[i], side(pair)});
    }
    terms_[0] = std::move(term).finish();
  }

  BodyContact options_;
  const Model& model_;
  ThreadPool& pool_;
  ContactSurface surface_;
  PairFinder finder_;
  std::vector<BodyNumbers> bodies_;
  double full_radius_, radius_, ball_ = 0;
  std::uint64_t stamp_ = 0;
  std::set<std::array<int, 2>> tangled_;  // bodies, the smaller first
  std::vector<double> before_, target_, centre_, listed_;
  std::vector<std::array<int, 2>> meeting_;
  std::vector<char> free_;
  std::vector<int> bound_;
  std::vector<ContactPair> pairs_;
  std::vector<double> radii_;  // of the pairs
  SafeRegion region_;
  SafeRegion::Clipped clipped_;
  int waited_ = 0;             // iterates since a search at which some vertex was clipped
  std::array<Term, 2> terms_;  // energy, friction
  std::vector<Rubbing> rubbing_;
};

class BodyContactModel final : public ContactModel {
 public:
  explicit BodyContactModel(const BodyContact& options) : options_(options) {}
  std::string name() const override { return "contact"; }
  bool couples() const override { return true; }
  bool rubs() const override { return options_.friction > 0 || !options_.pairs.empty(); }
  void stamp(Stamp& out) const override {
    out.add("contact"), out.add(options_.radius), out.add(options_.stiffness), out.add(options_.friction);
    out.add(options_.between), out.add(options_.self), out.add(options_.safe);
    for (const BodyContact::Pair& pair : options_.pairs)
      out.add(pair.first), out.add(pair.second), out.add(pair.friction);
  }
  std::unique_ptr<LaggedTerm> make(const Model& model, ThreadPool& pool) const override {
    return std::make_unique<Touching>(options_, model, pool);
  }

 private:
  BodyContact options_;
};

void require(double value, const char* what) {
  if (!(value >= 0) || !std::isfinite(value))
    throw InputError("contact", fmt::format("the {} is {}: must be >= 0 and finite", what, value));
}

}  // namespace

std::shared_ptr<const ContactModel> make_body_contact(const BodyContact& contact) {
  require(contact.radius, "radius"), require(contact.stiffness, "stiffness");
  require(contact.friction, "coefficient of friction");
  for (const BodyContact::Pair& pair : contact.pairs)
    require(pair.friction, "coefficient of friction of two bodies");
  return std::make_shared<BodyContactModel>(contact);
}

}  // namespace resilin
