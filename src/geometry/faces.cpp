#include "geometry/faces.h"

#include <algorithm>

namespace resilin {

namespace {

Face make_face(const TetMesh& mesh, int tet, int local) {
  const int* v = mesh.tets.data() + 4 * static_cast<std::size_t>(tet);
  int id[3] = {v[tet_face[local][0]], v[tet_face[local][1]], v[tet_face[local][2]]};
  std::sort(id, id + 3);
  return {id[0], id[1], id[2], tet, local};
}

}  // namespace

std::vector<Face> sorted_faces(const TetMesh& mesh) {
  return sorted_faces(mesh, std::vector<bool>(mesh.tet_count(), true));
}

// Buckets by the smallest vertex keep the sorts tiny: linear time in practice.
std::vector<Face> sorted_faces(const TetMesh& mesh, const std::vector<bool>& use) {
  const int m = mesh.tet_count();
  std::vector<std::size_t> start(mesh.vertex_count() + 1, 0);
  for (int t = 0; t < m; ++t)
    for (int i = 0; use[t] && i < 4; ++i) ++start[make_face(mesh, t, i).a + 1];
  for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];

  std::vector<Face> faces(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (int t = 0; t < m; ++t)
    for (int i = 0; use[t] && i < 4; ++i) {
      const Face face = make_face(mesh, t, i);
      faces[next[face.a]++] = face;
    }
  for (std::size_t v = 0; v + 1 < start.size(); ++v)
    std::sort(faces.begin() + start[v], faces.begin() + start[v + 1]);
  return faces;
}

}  // namespace resilin
