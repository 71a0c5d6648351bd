#include "potentials/bending/bending.h"

#include <cmath>
#include <map>

#include "geometry/vec3.h"

namespace resilin {

Params bending_params() {
  return {optional(field("stiffness", "N m", 0, at_least(0),
                         "bending stiffness D, one or one per triangle; default: E t^3/(12 (1 - nu^2)) of the "
                         "material and the thickness"))};
}

std::vector<Hinge> hinges(std::span<const int> triangles) {
  std::map<std::pair<int, int>, std::array<int, 3>> open;  // edge -> its start, what is across, and the triangle
  std::vector<Hinge> out;
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = triangles[t + i], b = triangles[t + (i + 1) % 3], c = triangles[t + (i + 2) % 3];
      const auto [at, first] = open.try_emplace(std::minmax(a, b), std::array{a, c, static_cast<int>(t / 3)});
      if (first) continue;
      const auto [start, other, triangle] = at->second;
      out.push_back({{start, start == a ? b : a, other, c}, {triangle, static_cast<int>(t / 3)}});
    }
  return out;
}

double hinge_angle(std::span<const double> positions, const Hinge& hinge) {
  const auto at = [&](int i) { return vertex_at(positions, hinge.v[i]); };
  const Vec3 edge = at(1) - at(0), first = cross(edge, at(2) - at(0)), second = cross(at(3) - at(0), edge);
  return std::atan2(dot(cross(second, first), edge) / norm(edge), dot(first, second));
}

double cotangent(std::span<const double> positions, int corner, int a, int b) {
  const Vec3 x = vertex_at(positions, corner), u = vertex_at(positions, a) - x, v = vertex_at(positions, b) - x;
  return dot(u, v) / norm(cross(u, v));
}

HingeShape hinge_shape(std::span<const double> rest, const Hinge& hinge) {
  const auto [v0, v1, v2, v3] = hinge.v;
  const Vec3 x0 = vertex_at(rest, v0), edge = vertex_at(rest, v1) - x0;
  const double c01 = cotangent(rest, v0, v1, v2), c02 = cotangent(rest, v0, v1, v3);  // at v0, in each triangle
  const double c03 = cotangent(rest, v1, v0, v2), c04 = cotangent(rest, v1, v0, v3);
  return {{c03 + c04, c01 + c02, -c01 - c03, -c02 - c04},
          norm(edge),
          (norm(cross(edge, vertex_at(rest, v2) - x0)) + norm(cross(edge, vertex_at(rest, v3) - x0))) / 2};
}

}  // namespace resilin
