#include "contact/narrow_phase/pair_list.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/broad_phase/body_boxes.h"
#include "contact/narrow_phase/closest_points.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double of_edge = 0.3, of_body = 0.04;    // the radius: of short edges, of the smallest body
constexpr double short_edge = 0.05;                // quantile of the edge lengths of a body
constexpr double of_solid = 0.1, of_sheet = 0.01;  // the stiffness: of the diagonal of the constant Hessian
constexpr double load_depth = 0.2;                 // of the radius: under the weight of two bodies on
constexpr double of_surface = 1.0 / 6;             // so many of its vertices
constexpr double sewn = 0.05;                      // of the radius: nearer at rest, it is no pair

std::vector<PairList::BodyNumbers> measure_bodies(const Model& model, const ContactSurface& surface) {
  std::vector<double> diagonal(model.mass.size(), 0.0);
  for (const Term& term : model.terms) {
    const int rows = term.elements.rows(), corners = term.elements.corners();
    std::vector<double> q(rows * rows);
    if (!term.elements.translation_free()) continue;
    for (const auto& potential : term.elastic)
      for (int e = 0; e < term.elements.size(); ++e) {
        potential->quadratic(e, 1, q.data());
        const auto c = term.elements.coefficients(e);
        for (int a = 0; a < corners; ++a)
          for (int r = 0; r < rows; ++r)
            for (int s = 0; s < rows; ++s)
              diagonal[term.elements.vertices(e)[a]] +=
                  term.elements.measure(e) * c[r * corners + a] * q[r * rows + s] * c[s * corners + a];
      }
  }
  std::vector<PairList::BodyNumbers> out(surface.body_count);
  std::vector<std::vector<double>> edges(out.size());
  for (int e = 0; e < surface.edge_count(); ++e) {
    const auto [a, b] = surface.edges[e];
    const Vec3 along = vertex_at(model.rest, a) - vertex_at(model.rest, b);
    edges[surface.edge_body[e]].push_back(std::hypot(along[0], along[1], along[2]));
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
    out[i].mass = 0;
    for (int v = body.first_vertex; v < body.end_vertex(); ++v) out[i].mass += model.mass[v], sum += diagonal[v];
    out[i].stiffness = (body.tets.empty() ? of_sheet : of_solid) * sum / std::max(1, body.vertex_count);
  }
  return out;
}

double automatic_radius(const std::vector<PairList::BodyNumbers>& bodies) {
  double radius = std::numeric_limits<double>::infinity();
  for (const PairList::BodyNumbers& body : bodies) {
    radius = std::min(radius, of_edge * body.edge);
    if (body.size > 0) radius = std::min(radius, of_body * body.size);
  }
  return std::isfinite(radius) ? radius : 0;
}

}  // namespace

PairList::PairList(const ContactSettings& options, const Model& model, const ContactSurface& surface,
                   PairFinder::Bodies wanted, PairFinder::Clusters clusters)
    : model_(model),
      surface_(surface),
      finder_(surface, model.rest.data(), std::move(wanted), std::move(clusters)),
      bodies_(measure_bodies(model, surface)),
      full_radius_(options.radius > 0 ? options.radius : automatic_radius(bodies_)),
      radius_(full_radius_),
      stiffness_(options.stiffness) {}

void PairList::find(const double* x, double reach, ThreadPool& pool) {
  more_ = reach - radius_;
  if (!(radius_ > 0) || !finder_.find(x, reach, pool, pairs_)) pairs_.clear();
  radii_.clear(), sides_.clear();
  std::size_t kept = 0;
  for (const ContactPair& pair : pairs_) {
    const double own = own_radius(pair, radius_);
    if (!(own > 0)) continue;
    radii_.push_back(own);
    sides_.push_back(side_of(pair.kind == ContactPair::edge_edge, pair.vertices, pair.normal, x));
    pairs_[kept++] = pair;
  }
  pairs_.resize(kept);
}

double PairList::own_radius(const ContactPair& pair, double radius) const {
  const auto body = [&](int i) { return surface_.body[pair.vertices[i]]; };
  if (body(0) != body(3)) return radius;
  const auto closest =
      closest_points(pair.kind == ContactPair::edge_edge, corners_at(model_.rest.data(), pair.vertices));
  const double own = std::min(radius, at_rest * std::sqrt(closest.squared));
  return own > sewn * radius ? own : 0;
}

double PairList::stiffness(const ContactPair& pair) const {
  if (stiffness_ > 0) return stiffness_;
  const auto body = [&](int i) -> const BodyNumbers& { return bodies_[surface_.body[pair.vertices[i]]]; };
  const BodyNumbers &a = body(0), &b = body(3);
  const auto [less, more] = std::minmax(a.stiffness, b.stiffness);
  const double k = less > 0 ? less : more;
  const double gravity = std::hypot(model_.gravity[0], model_.gravity[1], model_.gravity[2]);
  const double mass = &a == &b ? a.mass : a.mass + b.mass;
  const double touch = std::max(4.0, of_surface * std::min(a.vertices, b.vertices));
  return std::max(k, mass * gravity / (touch * load_depth * radius_));
}

EdgeEdge PairList::edges(std::size_t of) const { return {stiffness(pairs_[of]), radii_[of], sides_[of]}; }

VertexTriangle PairList::numbers(std::size_t of) const {
  const ContactPair& pair = pairs_[of];
  VertexTriangle out{stiffness(pair), radii_[of], {}, {}, sides_[of]};
  for (std::size_t i = 0; i < 3; ++i) {
    const int e = surface_.triangle_edges[pair.second][i], p = surface_.triangles[pair.second][i];
    out.inner_edges[i] = surface_.edge_triangles[e].size() == 2 ? 0.5 : 0;
    out.inner_corners[i] = surface_.on_border[p] != 0 ? 0 : 1.0 / std::ssize(surface_.vertex_triangles[p]);
  }
  return out;
}

Term PairList::term() const {
  PairTerm term;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const ContactPair& pair = pairs_[i];
    if (!can_push(i)) continue;
    if (pair.kind == ContactPair::vertex_triangle) term.add(pair.vertices, numbers(i));
    else term.add(pair.vertices, edges(i));
  }
  return std::move(term).finish();
}

}  // namespace resilin
