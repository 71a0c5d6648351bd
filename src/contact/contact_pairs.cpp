#include "contact/contact_pairs.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "contact/body_boxes.h"
#include "contact/closest_points.h"
#include "geometry/box_tree.h"

namespace resilin {
namespace {

/// Perpendicular to `u`, unit; any direction when u is zero.
Vec3 across(const Vec3& u) {
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(u[k]) < std::abs(u[least])) least = k;
  Vec3 axis{0, 0, 0};
  axis[least] = 1;
  const Vec3 n = cross(u, axis);
  const double size = norm(n);
  return size > 0 ? 1 / size * n : axis;
}

/// Where the points coincide but for round-off, the difference has no direction: the normal of both parts takes its place, or what is
/// perpendicular to the longer of two that are parallel or flat. It keeps the side that the difference still tells.
Vec3 touching_normal(const Vec3& u, const Vec3& v, const Vec3& difference) {
  const double uu = dot(u, u), vv = dot(v, v);
  Vec3 n = cross(u, v);
  const double nn = dot(n, n);
  n = nn > 1e-28 * uu * vv ? 1 / std::sqrt(nn) * n : across(uu >= vv ? u : v);
  return dot(n, difference) < 0 ? -1.0 * n : n;
}

/// u, v: two edges of the triangle, or both edges.
void set_normal(ContactPair& pair, const Vec3& difference, const Vec3& u, const Vec3& v) {
  const double size = std::sqrt(dot(u, u) + dot(v, v));
  const Vec3 n = pair.distance > 1e-14 * size ? 1 / pair.distance * difference : touching_normal(u, v, difference);
  std::copy(n.begin(), n.end(), pair.normal);
}

struct Positions {
  const double* x;
  Vec3 operator[](int v) const {
    return {x[3 * std::size_t(v)], x[3 * std::size_t(v) + 1], x[3 * std::size_t(v) + 2]};
  }
};

ContactPair pair_of(ContactPair::Kind kind, int first, int second, const std::array<int, 4>& ids, Positions at) {
  ContactPair pair{kind, first, second, ids, {}, 0, {}};
  const Vec3 p[4] = {at[ids[0]], at[ids[1]], at[ids[2]], at[ids[3]]};
  const bool edges = kind == ContactPair::edge_edge;
  const ClosestPoints<double> closest =
      edges ? closest_edge_edge<double>(p[0].data(), p[1].data(), p[2].data(), p[3].data())
            : closest_vertex_triangle<double>(p[0].data(), p[1].data(), p[2].data(), p[3].data());
  std::copy(closest.weight, closest.weight + 4, pair.weight);
  pair.distance = std::sqrt(closest.squared);
  const Vec3 difference{closest.difference[0], closest.difference[1], closest.difference[2]};
  set_normal(pair, difference, edges ? p[1] - p[0] : p[2] - p[1], edges ? p[3] - p[2] : p[3] - p[1]);
  return pair;
}

Bounds inflated(Bounds box, double by) {
  for (int k = 0; k < 3; ++k) box.lower[k] -= by, box.upper[k] += by;
  return box;
}

}  // namespace

PairFinder::PairFinder(const ContactSurface& surface, const double*, Bodies bodies)
    : surface_(surface), bodies_(std::move(bodies)) {}

bool PairFinder::find(const double* x, double radius, ThreadPool&, std::vector<ContactPair>& out) {
  out.clear();
  const Positions at{x};
  for (const int v : surface_.vertices)
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(at[v][k]) <= 1e30)) return false;
  const auto looked_at = [&](int a, int b) { return !bodies_ || bodies_(std::min(a, b), std::max(a, b)); };

  std::vector<Bounds> boxes;
  for (const auto& [a, b, c] : surface_.triangles) boxes.push_back(box_of(std::array{at[a], at[b], at[c]}));
  const BoxTree triangles(boxes);
  for (const int v : surface_.vertices) {
    const Bounds box = inflated({at[v], at[v]}, radius);
    triangles.touching(box, [&](int t) {
      const auto& [a, b, c] = surface_.triangles[t];
      if (v == a || v == b || v == c || !looked_at(surface_.body[v], surface_.triangle_body[t])) return true;
      const ContactPair pair = pair_of(ContactPair::vertex_triangle, v, t, {v, a, b, c}, at);
      if (pair.distance < radius) out.push_back(pair);
      return true;
    });
  }
  boxes.clear();
  for (const auto& [a, b] : surface_.edges) boxes.push_back(box_of(std::array{at[a], at[b]}));
  const BoxTree edges(boxes);
  for (int e = 0; e < surface_.edge_count(); ++e) {
    const auto& [a, b] = surface_.edges[e];
    edges.touching(inflated(boxes[e], radius), [&](int f) {
      const auto& [c, d] = surface_.edges[f];
      if (f <= e || a == c || a == d || b == c || b == d ||
          !looked_at(surface_.edge_body[e], surface_.edge_body[f]))
        return true;
      const ContactPair pair = pair_of(ContactPair::edge_edge, e, f, {a, b, c, d}, at);
      if (pair.distance < radius) out.push_back(pair);
      return true;
    });
  }
  std::sort(out.begin(), out.end(), [](const ContactPair& p, const ContactPair& q) {
    return std::array{int{p.kind}, p.first, p.second} < std::array{int{q.kind}, q.first, q.second};
  });
  return true;
}

}  // namespace resilin
