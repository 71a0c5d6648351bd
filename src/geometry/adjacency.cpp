// Connected parts and subsets of tet meshes.
#include <algorithm>
#include <cassert>

#include "core/disjoint_sets.h"
#include "geometry/vec3.h"

namespace resilin {

namespace {

Groups renumbered(const Groups& groups, const std::vector<int>& new_id) {
  Groups out;
  for (const auto& [name, ids] : groups) {
    std::vector<int> kept;
    for (int i : ids)
      if (new_id[i] >= 0) kept.push_back(new_id[i]);
    std::sort(kept.begin(), kept.end());
    if (!kept.empty()) out[name] = std::move(kept);
  }
  return out;
}

}  // namespace

Components components(const TetMesh& mesh) {
  DisjointSets parts(mesh.vertex_count());
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) parts.join(mesh.tets[i - i % 4], mesh.tets[i]);
  Components out;
  std::vector<int> label(mesh.vertex_count(), -1);  // of each root, in the order of the tets
  for (std::size_t i = 0; i < mesh.tets.size(); i += 4) {
    int& l = label[parts.root(mesh.tets[i])];
    if (l < 0) l = out.count++;
    out.of_tet.push_back(l);
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) out.of_vertex.push_back(label[parts.root(v)]);
  return out;
}

TetMesh subset(const TetMesh& mesh, std::span<const int> which) {
  std::vector<int> new_vertex(mesh.vertex_count(), -1), new_tet(mesh.tet_count(), -1);
  for (std::size_t k = 0; k < which.size(); ++k) {
    assert(which[k] >= 0 && which[k] < mesh.tet_count() && (k == 0 || which[k] > which[k - 1]));
    new_tet[which[k]] = static_cast<int>(k);
    for (int i = 0; i < 4; ++i) new_vertex[mesh.tets[4 * which[k] + i]] = 0;
  }
  TetMesh out;
  int count = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (new_vertex[v] < 0) continue;
    new_vertex[v] = count++;
    const Vec3 p = vertex_at(mesh.vertices, v);
    out.vertices.insert(out.vertices.end(), p.begin(), p.end());
  }
  for (int t : which)
    for (int i = 0; i < 4; ++i) out.tets.push_back(new_vertex[mesh.tets[4 * t + i]]);
  out.element_groups = renumbered(mesh.element_groups, new_tet);
  out.vertex_groups = renumbered(mesh.vertex_groups, new_vertex);
  return out;
}

}  // namespace resilin
