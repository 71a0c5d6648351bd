// Surfaces, whole and broken, that the tests of filling and embedding share.
#pragma once
#include <cmath>
#include <utility>

#include "resilin/shapes.h"

namespace resilin::test {

inline TriangleMesh ball_surface(double radius = 0.5, double spacing = 0.06) {
  SphereOptions options;
  options.radius = radius, options.spacing = spacing * radius / 0.5;
  return surface(sphere(options));
}

inline TriangleMesh cube_surface(double edge = 1, Vec3 center = {0, 0, 0}, int cells = 4) {
  BoxOptions options;
  options.size = {edge, edge, edge}, options.center = center, options.cells = {cells, cells, cells};
  return surface(box(options));
}

inline TriangleMesh torus_surface() {
  TorusOptions options;
  options.spacing = 0.06;
  return surface(torus(options));
}

inline void add(TriangleMesh& mesh, const TriangleMesh& other) {
  const int first = mesh.vertex_count();
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const int v : other.triangles) mesh.triangles.push_back(first + v);
}

inline void turn_inside_out(TriangleMesh& mesh) {
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
    std::swap(mesh.triangles[t + 1], mesh.triangles[t + 2]);
}

/// Without the triangles that lie entirely above z.
inline TriangleMesh open_above(const TriangleMesh& mesh, double z) {
  TriangleMesh out{mesh.vertices, {}, {}, {}};
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    bool above = true;
    for (std::size_t k = 0; k < 3; ++k)
      above = above && mesh.vertices[3 * static_cast<std::size_t>(mesh.triangles[t + k]) + 2] > z;
    if (!above) out.triangles.insert(out.triangles.end(), &mesh.triangles[t], &mesh.triangles[t] + 3);
  }
  return out;
}

}  // namespace resilin::test
