#include "geometry/overlap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "geometry/triangle_bvh.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double touch_tolerance = 1e-6;  // of the smaller body: what lies less deep only touches

Bounds box_of_ids(const PlacedBody& body, std::span<const int> ids) {
  Bounds box = bounds({});
  for (const int v : ids) extend(box, vertex_at(body.vertices, v));
  return box;
}

Bounds box_of_body(const PlacedBody& body) {
  Bounds box = bounds({});
  for (const std::span<const int> ids : {body.tets, body.triangles, body.edges}) extend(box, box_of_ids(body, ids));
  return box;
}

/// The elements (with `corners` each) of a body that touch a box.
struct Near {
  std::vector<int> elements;
  std::vector<Bounds> boxes;
  Near(const PlacedBody& body, std::span<const int> ids, std::size_t corners, const Bounds& where) {
    for (std::size_t i = 0; i + corners <= ids.size(); i += corners) {
      const Bounds box = box_of_ids(body, ids.subspan(i, corners));
      if (!touch(box, where)) continue;
      elements.push_back(static_cast<int>(i / corners));
      boxes.push_back(box);
    }
  }
};

/// Whether p lies in the tet or on its boundary.
bool contains(const std::array<Vec3, 4>& t, const Vec3& p) {
  const double volume = det(t[0], t[1], t[2], t[3]), least = -1e-12 * std::abs(volume);
  if (volume == 0) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<Vec3, 4> sub = t;
    sub[i] = p;
    if (det(sub[0], sub[1], sub[2], sub[3]) * (volume < 0 ? -1 : 1) < least) return false;
  }
  return true;
}

/// A solid that can be asked whether a point lies in it, deeper below its surface than `depth`.
class Inside {
 public:
  Inside(const PlacedBody& solid, const Bounds& where, double depth)
      : solid_(solid),
        limit_(depth * depth),
        tets_(solid, solid.tets, 4, where),
        skin_(solid, solid.triangles, 3, where),
        tet_tree_(tets_.boxes),
        skin_tree_(skin_.boxes) {}

  bool empty() const { return tets_.elements.empty(); }
  bool operator()(const Vec3& p) const {
    bool found = false;
    tet_tree_.touching({p, p}, [&](int k) {
      found = contains(corners_of<4>(solid_.tets, tets_.elements[k]), p);
      return !found;
    });
    if (!found) return false;
    skin_tree_.search(p, limit_, [&](int k) {
      const auto t = corners_of<3>(solid_.triangles, skin_.elements[k]);
      const Vec3 d = closest_on_triangle(p, t[0], t[1], t[2]) - p;
      if (dot(d, d) <= limit_) found = false;
    });
    return found;
  }

 private:
  template <std::size_t N>
  std::array<Vec3, N> corners_of(std::span<const int> ids, int element) const {
    std::array<Vec3, N> out;
    for (std::size_t i = 0; i < N; ++i)
      out[i] = vertex_at(solid_.vertices, ids[N * static_cast<std::size_t>(element) + i]);
    return out;
  }

  const PlacedBody& solid_;
  double limit_;
  Near tets_, skin_;
  BoxTree tet_tree_, skin_tree_;
};

/// Middles of tets, triangles and edges of `points`, and corners of the latter two, in the tets of `solid`.
std::optional<Vec3> point_inside(const PlacedBody& points, const PlacedBody& solid, const Bounds& where,
                                 double depth) {
  const Inside inside(solid, where, depth);
  if (inside.empty()) return std::nullopt;
  const auto is_there = [&](const Vec3& p) { return touch(where, {p, p}) && inside(p); };
  const std::pair<std::span<const int>, std::size_t> lists[] = {
      {points.tets, 4}, {points.triangles, 3}, {points.edges, 2}};
  for (const auto& [ids, corners] : lists)
    for (std::size_t i = 0; i + corners <= ids.size(); i += corners) {
      Vec3 middle{};
      for (std::size_t k = 0; k < corners; ++k) {
        const Vec3 p = vertex_at(points.vertices, ids[i + k]);
        middle = middle + 1.0 / static_cast<double>(corners) * p;
        if (corners < 4 && is_there(p)) return p;
      }
      if (is_there(middle)) return middle;
    }
  return std::nullopt;
}

/// Where the edge from p to q passes through the triangle, if both ends are further from its plane than `depth`.
std::optional<Vec3> crossing(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t, double depth) {
  const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
  const double length = norm(n);
  if (length == 0) return std::nullopt;
  const double from = dot(n, p - t[0]) / length, to = dot(n, q - t[0]) / length;
  if (!(std::min(from, to) < -depth && std::max(from, to) > depth)) return std::nullopt;
  const Vec3 x = p + from / (from - to) * (q - p);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 side = t[(i + 1) % 3] - t[i];
    if (!(dot(n, cross(side, x - t[i])) > depth * length * norm(side))) return std::nullopt;
  }
  return x;
}

/// Edges of `wires` (springs, sides of triangles) through triangles of `surface`.
std::optional<Vec3> edge_through_triangle(const PlacedBody& wires, const PlacedBody& surface, const Bounds& where,
                                          double depth) {
  const Near near(surface, surface.triangles, 3, where);
  if (near.elements.empty()) return std::nullopt;
  const BoxTree tree(near.boxes);
  std::optional<Vec3> found;
  const auto try_along = [&](int from, int to) {
    const int ids[] = {from, to};
    const Bounds box = box_of_ids(wires, ids);
    if (found || !touch(box, where)) return;
    tree.touching(box, [&](int k) {
      std::array<Vec3, 3> corners;
      for (std::size_t i = 0; i < 3; ++i)
        corners[i] = vertex_at(surface.vertices, surface.triangles[3 * near.elements[k] + i]);
      found = crossing(vertex_at(wires.vertices, from), vertex_at(wires.vertices, to), corners, depth);
      return !found;
    });
  };
  for (std::size_t i = 0; i + 3 <= wires.triangles.size() && !found; i += 3)
    for (std::size_t k = 0; k < 3; ++k) try_along(wires.triangles[i + k], wires.triangles[i + (k + 1) % 3]);
  for (std::size_t i = 0; i + 2 <= wires.edges.size() && !found; i += 2)
    try_along(wires.edges[i], wires.edges[i + 1]);
  return found;
}

}  // namespace

std::optional<Vec3> overlap(const PlacedBody& a, const PlacedBody& b) {
  const Bounds box_a = box_of_body(a), box_b = box_of_body(b);
  if (!touch(box_a, box_b)) return std::nullopt;
  Bounds both;
  for (int k = 0; k < 3; ++k) {
    both.lower[k] = std::max(box_a.lower[k], box_b.lower[k]);
    both.upper[k] = std::min(box_a.upper[k], box_b.upper[k]);
  }
  const double depth = touch_tolerance * std::min(diagonal(box_a), diagonal(box_b));
  std::optional<Vec3> found = point_inside(a, b, both, depth);
  if (!found) found = point_inside(b, a, both, depth);
  if (!found) found = edge_through_triangle(a, b, both, depth);
  if (!found) found = edge_through_triangle(b, a, both, depth);
  return found;
}

}  // namespace resilin
