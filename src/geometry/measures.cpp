// Volumes, lumped masses and bounds.
#include <algorithm>
#include <cassert>
#include <limits>

#include "geometry/vec3.h"

namespace resilin {

double tet_volume(const TetMesh& mesh, int tet) {
  const auto p = corners(mesh, tet);
  return det(p[0], p[1], p[2], p[3]) / 6;
}

double total_volume(const TetMesh& mesh) {
  double sum = 0;
  for (int t = 0; t < mesh.tet_count(); ++t) sum += tet_volume(mesh, t);
  return sum;
}

double enclosed_volume(std::span<const double> vertices, std::span<const int> triangles) {
  double sum = 0;
  if (triangles.empty()) return sum;
  const Vec3 o = vertex_at(vertices, triangles[0]);  // on the surface: less cancellation than the origin
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3)
    sum += det(o, vertex_at(vertices, triangles[i]), vertex_at(vertices, triangles[i + 1]),
               vertex_at(vertices, triangles[i + 2]));
  return sum / 6;
}

double enclosed_volume(const TriangleMesh& mesh) { return enclosed_volume(mesh.vertices, mesh.triangles); }

std::vector<double> lumped_masses(const TetMesh& mesh, std::span<const double> density) {
  assert(static_cast<int>(density.size()) == mesh.tet_count());
  std::vector<double> mass(mesh.vertex_count(), 0.0);
  for (int t = 0; t < mesh.tet_count(); ++t) {
    const double quarter = density[t] * tet_volume(mesh, t) / 4;
    for (int i = 0; i < 4; ++i) mass[mesh.tets[4 * t + i]] += quarter;
  }
  return mass;
}

std::vector<double> lumped_masses(const TetMesh& mesh, double density) {
  return lumped_masses(mesh, std::vector<double>(mesh.tet_count(), density));
}

Bounds bounds(std::span<const double> vertices) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Bounds out{{inf, inf, inf}, {-inf, -inf, -inf}};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    out.lower[i % 3] = std::min(out.lower[i % 3], vertices[i]);
    out.upper[i % 3] = std::max(out.upper[i % 3], vertices[i]);
  }
  return out;
}

}  // namespace resilin
