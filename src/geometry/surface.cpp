// The boundary of a tet mesh: faces with one owner.
#include <algorithm>
#include <utility>

#include "geometry/faces.h"
#include "geometry/vec3.h"

namespace resilin {

std::vector<int> boundary_triangles(const TetMesh& mesh) {
  const std::vector<Face> faces = sorted_faces(mesh);
  std::vector<std::pair<int, int>> boundary;  // (tet, local)
  for (std::size_t i = 0, end; i < faces.size(); i = end) {
    for (end = i + 1; end < faces.size() && faces[end].same_vertices(faces[i]);) ++end;
    if (end == i + 1) boundary.emplace_back(faces[i].tet, faces[i].local);
  }
  std::sort(boundary.begin(), boundary.end());

  std::vector<int> triangles;
  triangles.reserve(3 * boundary.size());
  for (const auto& [tet, local] : boundary) {
    const int* v = mesh.tets.data() + 4 * static_cast<std::size_t>(tet);
    int t[3] = {v[tet_face[local][0]], v[tet_face[local][1]], v[tet_face[local][2]]};
    if (tet_volume(mesh, tet) < 0) std::swap(t[1], t[2]);  // an inverted tet must not turn the surface inside out
    triangles.insert(triangles.end(), t, t + 3);
  }
  return triangles;
}

TriangleMesh surface(const TetMesh& mesh) {
  std::vector<int> vertex_map;
  return surface(mesh, vertex_map);
}

TriangleMesh surface(const TetMesh& mesh, std::vector<int>& vertex_map) {
  TriangleMesh out;
  out.triangles = boundary_triangles(mesh);
  vertex_map.assign(out.triangles.begin(), out.triangles.end());
  std::sort(vertex_map.begin(), vertex_map.end());
  vertex_map.erase(std::unique(vertex_map.begin(), vertex_map.end()), vertex_map.end());

  std::vector<int> compact(mesh.vertex_count(), -1);
  out.vertices.reserve(3 * vertex_map.size());
  for (std::size_t i = 0; i < vertex_map.size(); ++i) {
    compact[vertex_map[i]] = static_cast<int>(i);
    const Vec3 p = vertex_at(mesh.vertices, vertex_map[i]);
    out.vertices.insert(out.vertices.end(), p.begin(), p.end());
  }
  for (int& v : out.triangles) v = compact[v];
  for (const auto& [name, ids] : mesh.vertex_groups) {
    std::vector<int> kept;
    for (int v : ids)
      if (compact[v] >= 0) kept.push_back(compact[v]);
    if (!kept.empty()) out.vertex_groups[name] = std::move(kept);
  }
  return out;
}

}  // namespace resilin
