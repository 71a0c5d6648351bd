#include "contact/body_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "contact/body_boxes.h"
#include "contact/closest_points.h"
#include "contact/contact_pairs.h"
#include "contact/contact_surface.h"
#include "contact/crossings.h"
#include "contact/pair_energy.h"
#include "contact/safe_region.h"
#include "core/stamp.h"
#include "geometry/rigid_step.h"
#include "geometry/vec3.h"

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
  Touching(const BodyContactOptions& options, const Model& model, ThreadPool& pool)
      : options_(options),
        model_(model),
        pool_(pool),
        surface_(contact_surface(model)),
        finder_(surface_, model.rest.data(), [this](int a, int b) { return wanted(a, b); }),
        bodies_(measure_bodies(model, surface_)),
        radius_(options.radius > 0 ? options.radius : automatic_radius(bodies_)) {
    Stamp stamp;
    stamp.add(static_cast<std::uint64_t>(surface_.vertices.size()));
    stamp.add(static_cast<std::uint64_t>(surface_.triangles.size()));
    stamp_ = stamp.value();
    std::vector<ContactPair> none;
    list(none);
  }

  const Term& term() const override { return term_; }
  bool bounds_steps() const override { return options_.safe; }
  std::span<const std::array<int, 2>> meeting() const override { return meeting_; }

  void begin(const Stage& stage, const Memory& memory) override {
    before_ = stage.start.empty() ? stage.origin : stage.start;
    target_ = stage.target;
    free_.assign(model_.mass.size(), 1);
    for (const Pin& pin : model_.pins)
      for (const int v : pin.vertices) free_[static_cast<std::size_t>(v)] = 0;
    bound_.clear();
    for (const int v : surface_.vertices)
      if (free_[static_cast<std::size_t>(v)] != 0) bound_.push_back(v);
    find_tangles(memory);
    move_along();
    search(centre_);
  }
  void end(const double*, Memory& memory) override {
    std::vector<double>& kept = memory.keep("contact.tangled", stamp_);
    kept.clear();
    for (const auto& [a, b] : tangled_) kept.insert(kept.end(), {double(a), double(b)});
    kept.push_back(-1);  // so that none is told from not looked at
  }

  // Of the triangles of a body that a vertex is near, the nearest: together they push like one.
  void touching(const double* x, std::vector<TouchingPair>& out) const override {
    int vertex = -1, body = -1;
    double nearest = 0;
    for (const ContactPair& pair : pairs_) {
      const double* at[4];
      for (std::size_t i = 0; i < 4; ++i) at[i] = x + 3 * static_cast<std::size_t>(pair.vertices[i]);
      const bool edges = pair.kind == ContactPair::edge_edge;
      const auto closest = edges ? closest_edge_edge(at[0], at[1], at[2], at[3])
                                 : closest_vertex_triangle(at[0], at[1], at[2], at[3]);
      const double r = own_radius(pair), distance = std::sqrt(closest.squared);
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
  }

  bool reach(double* x) override {
    if (!options_.safe) return false;
    std::vector<double> part(model_.bodies.size()), wanted(x, x + before_.size());
    bool searched = false;
    std::vector<double> from = centre_;
    for (std::size_t v = 0; v < free_.size(); ++v)
      if (free_[v] == 0) std::copy_n(&wanted[3 * v], 3, &from[3 * v]);
    for (int round = 0;; ++round) {
      std::copy(wanted.begin(), wanted.end(), x);
      std::fill(part.begin(), part.end(), 1.0);
      region_.clip(from.data(), x, surface_.body, part, true, pool_);
      if (round + 1 >= most_rounds ||
          std::all_of(part.begin(), part.end(), [](double p) { return p < 0.2 || p == 1; }))
        return searched;
      from.assign(x, x + before_.size());
      search(from);
      searched = true;
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
    if (before_.empty()) return listed_at(x);
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

  // A rigid motion of bodies that may meet, all alike, lets nothing pass through anything: the region begins around where it leads.
  void move_along() {
    centre_ = before_;
    meeting_.clear();
    std::vector<Bounds> boxes = body_boxes(surface_, before_.data());
    const std::vector<Bounds> later = body_boxes(surface_, target_.data());
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        boxes[i].lower[k] = std::min(boxes[i].lower[k], later[i].lower[k]);
        boxes[i].upper[k] = std::max(boxes[i].upper[k], later[i].upper[k]);
      }
    std::vector<int> group(boxes.size());
    std::iota(group.begin(), group.end(), 0);
    for (const auto& [a, b] : near_pairs(boxes, (1 + 2 * most_ball) * radius_)) {
      const int from = std::max(group[static_cast<std::size_t>(a)], group[static_cast<std::size_t>(b)]),
                to = std::min(group[static_cast<std::size_t>(a)], group[static_cast<std::size_t>(b)]);
      if (!options_.between || tangled_.contains({a, b})) continue;
      meeting_.push_back({model_.bodies[static_cast<std::size_t>(a)].first_vertex,
                          model_.bodies[static_cast<std::size_t>(b)].first_vertex});
      if (from != to) std::replace(group.begin(), group.end(), int{from}, int{to});
    }
    for (std::size_t g = 0; g < group.size(); ++g) {
      std::vector<int> members;
      for (std::size_t i = 0; i < group.size(); ++i)
        for (int v = 0; group[i] == static_cast<int>(g) && v < model_.bodies[i].vertex_count; ++v)
          members.push_back(model_.bodies[i].first_vertex + v);
      if (!members.empty()) rigid_step(model_.mass, members, target_, centre_);
    }
    double farthest = 0;
    for (const int v : bound_) {
      const std::size_t i = 3 * static_cast<std::size_t>(v);
      farthest = std::max(farthest, std::hypot(target_[i] - centre_[i], target_[i + 1] - centre_[i + 1],
                                               target_[i + 2] - centre_[i + 2]));
    }
    ball_ = std::clamp(farthest, least_ball * radius_, most_ball * radius_);
  }

  void search(const std::vector<double>& x) {
    centre_ = x;
    find(x.data());
    if (options_.safe) region_.set(centre_, pairs_, target_, ball_, radius_, bound_);
    clipped_ = {}, waited_ = 0;
    list(pairs_);
  }
  // For an evaluation far from where the list was made.
  bool listed_at(const double* x) {
    if (before_.empty()) before_.assign(x, x + model_.rest.size()), ball_ = least_ball * radius_;
    find(x);
    list(pairs_);
    return true;
  }
  void find(const double* x) {
    listed_.assign(x, x + model_.rest.size());
    if (!(radius_ > 0) || !finder_.find(x, reach_of_list(), pool_, pairs_)) pairs_.clear();
    std::erase_if(pairs_, [&](const ContactPair& pair) { return !(own_radius(pair) > sewn * radius_); });
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

  void list(const std::vector<ContactPair>& pairs) {
    PairTerm term;
    for (const ContactPair& pair : pairs) {
      const double k = stiffness(pair), r = own_radius(pair);
      if (pair.kind == ContactPair::edge_edge) {
        const double weight = edge_weight(pair);
        if (weight > 0) term.add_edge_edge(pair.vertices, weight * k, r);
        continue;
      }
      const auto triangle = static_cast<std::size_t>(pair.second);
      std::array<double, 3> edges, corners;
      for (std::size_t i = 0; i < 3; ++i) {
        const int e = surface_.triangle_edges[triangle][i], p = surface_.triangles[triangle][i];
        edges[i] = surface_.edge_triangles[e].size() == 2 ? 0.5 : 0;
        corners[i] = surface_.on_border[static_cast<std::size_t>(p)] != 0
                         ? 0
                         : 1.0 / static_cast<double>(surface_.vertex_triangles[p].size());
      }
      term.add_vertex_triangle(pair.vertices, k, r, edges, corners);
    }
    term_ = std::move(term).finish();
  }

  BodyContactOptions options_;
  const Model& model_;
  ThreadPool& pool_;
  ContactSurface surface_;
  PairFinder finder_;
  std::vector<BodyNumbers> bodies_;
  double radius_, ball_ = 0;
  std::uint64_t stamp_ = 0;
  std::set<std::array<int, 2>> tangled_;  // bodies, the smaller first
  std::vector<double> before_, target_, centre_, listed_;
  std::vector<std::array<int, 2>> meeting_;
  std::vector<char> free_;
  std::vector<int> bound_;
  std::vector<ContactPair> pairs_;
  SafeRegion region_;
  SafeRegion::Clipped clipped_;
  int waited_ = 0;  // iterates since a search at which some vertex was clipped
  Term term_;
};

class BodyContact final : public ContactModel {
 public:
  explicit BodyContact(const BodyContactOptions& options) : options_(options) {}
  std::string name() const override { return "contact"; }
  void stamp(Stamp& out) const override {
    out.add("contact"), out.add(options_.radius), out.add(options_.stiffness);
    out.add(static_cast<std::uint64_t>(options_.between + 2 * options_.self + 4 * options_.safe));
  }
  std::unique_ptr<LaggedTerm> make(const Model& model, ThreadPool& pool) const override {
    return std::make_unique<Touching>(options_, model, pool);
  }

 private:
  BodyContactOptions options_;
};

}  // namespace

std::shared_ptr<const ContactModel> make_body_contact(const BodyContactOptions& options) {
  return std::make_shared<BodyContact>(options);
}

}  // namespace resilin
