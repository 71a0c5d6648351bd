#include "contact/crossings.h"

#include <algorithm>

#include "geometry/box_tree.h"
#include "geometry/self_intersection.h"

namespace resilin {
namespace {

bool shares_vertex(const std::array<int, 2>& edge, const std::array<int, 3>& triangle) {
  return std::any_of(triangle.begin(), triangle.end(), [&](int v) { return v == edge[0] || v == edge[1]; });
}

bool crosses(const std::array<Vec3, 2>& edge, const Corners& t) {
  if (orientation(t[0], t[1], t[2], edge[0]) * orientation(t[0], t[1], t[2], edge[1]) >= 0) return false;
  const int side = orientation(edge[0], edge[1], t[0], t[1]);
  return side != 0 && orientation(edge[0], edge[1], t[1], t[2]) == side &&
         orientation(edge[0], edge[1], t[2], t[0]) == side;
}

}  // namespace

std::vector<Crossing> crossings(const ContactSurface& surface, const double* x) {
  const std::span<const double> all(x, 3 * std::size_t(surface.vertex_count));
  std::vector<Corners> corners;
  std::vector<Bounds> boxes;
  for (const auto& [a, b, c] : surface.triangles) {
    corners.push_back({vertex_at(all, a), vertex_at(all, b), vertex_at(all, c)});
    boxes.push_back(box_of(corners.back()));
  }
  const BoxTree tree(boxes);
  std::vector<Crossing> out;
  for (int e = 0; e < surface.edge_count(); ++e) {
    const std::array<Vec3, 2> ends{vertex_at(all, surface.edges[e][0]), vertex_at(all, surface.edges[e][1])};
    const Bounds box = box_of(ends);
    tree.touching(box, [&](int t) {
      if (touch(box, boxes[t]) && !shares_vertex(surface.edges[e], surface.triangles[t]) &&
          crosses(ends, corners[t]))
        out.push_back({e, t});
      return true;
    });
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace resilin
