#include "reference/plain_pairs.h"

#include <algorithm>
#include <cmath>

#include "contact/narrow_phase/closest_points.h"
#include "geometry/box_tree.h"

namespace resilin::bench {
namespace {

struct Positions {
  const double* x;
  Vec3 operator[](int v) const {
    const double* p = x + 3 * static_cast<std::size_t>(v);
    return {p[0], p[1], p[2]};
  }
};

ContactPair pair_of(ContactPair::Kind kind, int first, int second, const std::array<int, 4>& ids, Positions at) {
  ContactPair pair{kind, first, second, ids, {}, 0, {}};
  const Vec3 p[4] = {at[ids[0]], at[ids[1]], at[ids[2]], at[ids[3]]};
  const ClosestPoints<double> closest =
      kind == ContactPair::edge_edge
          ? closest_edge_edge<double>(p[0].data(), p[1].data(), p[2].data(), p[3].data())
          : closest_vertex_triangle<double>(p[0].data(), p[1].data(), p[2].data(), p[3].data());
  std::copy(closest.weight, closest.weight + 4, pair.weight);
  pair.distance = std::sqrt(closest.squared);
  for (int k = 0; k < 3; ++k) pair.normal[k] = closest.difference[k] / pair.distance;
  return pair;
}

Bounds inflated(Bounds box, double by) {
  for (int k = 0; k < 3; ++k) box.lower[k] -= by, box.upper[k] += by;
  return box;
}

void add_vertex_triangle(const ContactSurface& surface, Positions at, double radius,
                         std::vector<ContactPair>& out) {
  std::vector<Bounds> boxes;
  for (const auto& [a, b, c] : surface.triangles) boxes.push_back(box_of(std::array{at[a], at[b], at[c]}));
  const BoxTree tree(boxes);
  for (const int v : surface.vertices) {
    const Bounds box = inflated({at[v], at[v]}, radius);
    tree.touching(box, [&](int t) {
      const auto& [a, b, c] = surface.triangles[t];
      if (v == a || v == b || v == c || !touch(box, boxes[t])) return true;
      const ContactPair pair = pair_of(ContactPair::vertex_triangle, v, t, {v, a, b, c}, at);
      if (pair.distance < radius) out.push_back(pair);
      return true;
    });
  }
}

void add_edge_edge(const ContactSurface& surface, Positions at, double radius, std::vector<ContactPair>& out) {
  std::vector<Bounds> boxes;
  for (const auto& [a, b] : surface.edges) boxes.push_back(box_of(std::array{at[a], at[b]}));
  const BoxTree tree(boxes);
  for (int e = 0; e < surface.edge_count(); ++e) {
    const auto& [a, b] = surface.edges[e];
    const Bounds box = inflated(boxes[e], radius);
    tree.touching(box, [&](int f) {
      const auto& [c, d] = surface.edges[f];
      if (f <= e || a == c || a == d || b == c || b == d || !touch(box, boxes[f])) return true;
      const ContactPair pair = pair_of(ContactPair::edge_edge, e, f, {a, b, c, d}, at);
      if (pair.distance < radius) out.push_back(pair);
      return true;
    });
  }
}

}  // namespace

std::vector<ContactPair> plain_pairs(const ContactSurface& surface, const double* x, double radius) {
  std::vector<ContactPair> out;
  add_vertex_triangle(surface, {x}, radius, out);
  add_edge_edge(surface, {x}, radius, out);
  std::sort(out.begin(), out.end(), [](const ContactPair& p, const ContactPair& q) {
    return std::array{int{p.kind}, p.first, p.second} < std::array{int{q.kind}, q.first, q.second};
  });
  return out;
}

}  // namespace resilin::bench
