#include "scene/start_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "contact/islands/initial_overlaps.h"
#include "contact/obstacles/obstacle_potential.h"
#include "geometry/overlap.h"
#include "geometry/vec3.h"
#include "simd/pack.h"

namespace resilin {
namespace {

constexpr double slight = 1e-3;  // of a body's size: so deep a body may start in an obstacle

/// How deep a point is in an obstacle, and the way out.
struct Depth {
  double metres = 0;
  Vec3 out{};
};

Depth depth_at(const Kernel& kernel, const Vec3& x) {
  alignas(64) std::array<double, 3 * lanes> z{}, nearest{};
  for (std::size_t k = 0; k < 3; ++k) std::fill_n(z.begin() + static_cast<std::ptrdiff_t>(k * lanes), lanes, x[k]);
  Block block;
  block.rows = 1, block.packs = 1, block.z = z.data();
  kernel.project(block, nearest.data());
  const Vec3 way = Vec3{nearest[0], nearest[lanes], nearest[2 * lanes]} - x;
  return norm(way) > 0 ? Depth{norm(way), (1 / norm(way)) * way} : Depth{};
}

std::string vector_text(const Vec3& v) {
  const auto plain = [](double x) { return std::abs(x) < 5e-4 ? 0.0 : x; };
  return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", plain(v[0]), plain(v[1]), plain(v[2]));
}

double size_of(const Body& body, const std::vector<double>& q) {
  const Bounds b = bounds(std::span(q).subspan(3 * static_cast<std::size_t>(body.first_vertex),
                                               3 * static_cast<std::size_t>(body.vertex_count)));
  return norm(b.upper - b.lower);
}

void note_obstacles(const Model& model, const std::vector<double>& q, double time, std::size_t up,
                    std::vector<std::string>& out) {
  for (const Term& term : model.terms) {
    const auto* potential =
        term.elastic.empty() ? nullptr : dynamic_cast<const ObstaclePotential*>(term.elastic[0].get());
    if (potential == nullptr) continue;
    const bool endless = potential->obstacle()->surface().triangles.empty();
    const std::array<int, lanes> slots{};
    const auto kernel = potential->pack(slots);
    kernel->set_time(time);
    for (const Body& body : model.bodies) {
      int count = 0;
      Depth deepest;
      for (int i = 0; i < term.elements.size(); ++i) {
        const int v = term.elements.vertices(i)[0];
        if (v < body.first_vertex || v >= body.first_vertex + body.vertex_count) continue;
        const Depth depth = depth_at(*kernel, vertex_at(q, v));
        count += depth.metres > 0 ? 1 : 0;
        if (depth.metres > deepest.metres) deepest = depth;
      }
      if (deepest.metres <= slight * size_of(body, q)) continue;
      const std::string place = endless && deepest.out[up] > 0.999
                                    ? "below the ground"
                                    : fmt::format("inside of the obstacle \"{}\"", term.name);
      out.push_back(fmt::format(
          "body \"{}\" starts {}: {} of its {} vertices, up to {:.3g} m deep. It will be thrown out. Move it by {} "
          "or more (\"translate\")",
          body.name, place, count, body.vertex_count, deepest.metres, vector_text(deepest.metres * deepest.out)));
    }
  }
}

void note_gravity(const Scene& scene, const Model& model, std::size_t up, std::vector<std::string>& out) {
  if (!(model.gravity[up] > 0)) return;
  out.push_back(
      fmt::format("gravity is {}: it points up ({} is up), bodies fall away from the ground. Write \"gravity\": "
                  "{:.4g}, a number that says how strongly it pulls down",
                  vector_text(model.gravity), scene.up, model.gravity[up]));
}

std::string others_name(const Model& model, const BodyOverlap& overlap) {
  const auto quoted = [&](int body) { return '"' + model.bodies[body].name + '"'; };
  return quoted(overlap.bodies[0]) + " and " + quoted(overlap.bodies[1]);
}

// With contact: who passes through whom. They may only come apart.
void note_body_overlaps(const Model& model, const std::vector<BodyOverlap>& overlaps,
                        std::vector<std::string>& out) {
  for (const BodyOverlap& overlap : overlaps) {
    const auto& [a, b] = overlap.bodies;
    if (a == b)
      out.push_back(
          fmt::format("body \"{}\" passes through itself: {} crossings of edges and triangles. Contact with itself "
                      "begins when there are none any more",
                      model.bodies[a].name, overlap.crossings));
    else
      out.push_back(fmt::format(
          "bodies {} overlap: {} crossings of edges and triangles, about {:.2g} m deep. They are led apart along "
          "{} and touch from then on; \"translate\" one of them by {} and nothing has to be",
          others_name(model, overlap), overlap.crossings, overlap.depth, vector_text(overlap.out),
          vector_text(overlap.depth * overlap.out)));
  }
}

void note_overlaps(const Model& model, const std::vector<double>& q, std::vector<std::string>& out) {
  const bool contact = has_contact(model);
  const std::vector<BodyOverlap> overlaps =
      contact ? find_overlaps(contact_surface(model), q.data()) : std::vector<BodyOverlap>{};
  note_body_overlaps(model, overlaps, out);
  const auto placed = [&](const Body& body) { return PlacedBody{q, body.tets, body.triangles, body.edges}; };
  for (int i = 0; i < static_cast<int>(model.bodies.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(model.bodies.size()); ++j) {
      if (std::any_of(overlaps.begin(), overlaps.end(), [&](const BodyOverlap& t) {
            return t.bodies == BodyPair{i, j};
          }))
        continue;
      const Body &a = model.bodies[i], &b = model.bodies[j];
      if (const auto place = overlap(placed(a), placed(b)))
        out.push_back(
            fmt::format("bodies \"{}\" and \"{}\" overlap, for example at {} m. {}: move one of them "
                        "(\"translate\"), or give both as one mesh",
                        a.name, b.name, vector_text(*place),
                        contact ? "What lies inside of another stays there" : "Nothing keeps bodies apart"));
    }
}

}  // namespace

bool has_contact(const Model& model) { return model.contact.has_value(); }

std::string contact_in_words(const Model& model) {
  return has_contact(model) ? "contact of bodies: on" : "contact of bodies: off";
}

std::vector<std::string> start_warnings(const Scene& scene, const Model& model,
                                        const std::vector<double>& positions, double time) {
  assert(positions.size() == model.rest.size());
  std::vector<std::string> out;
  const auto up = static_cast<std::size_t>(scene.up[0] - 'x');
  note_gravity(scene, model, up, out);
  note_obstacles(model, positions, time, up, out);
  note_overlaps(model, positions, out);
  return out;
}

}  // namespace resilin
