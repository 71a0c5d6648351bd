// Who touches whom: compressed adjacency, edges, connected parts and subsets of tet meshes.
#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "geometry/faces.h"
#include "geometry/vec3.h"

namespace resilin {

namespace {

// Pairs (row, id), sorted by row then id, become compressed rows.
Adjacency compress(int rows, const std::vector<std::pair<int, int>>& pairs) {
  Adjacency out;
  out.start.assign(rows + 1, 0);
  for (const auto& [row, id] : pairs) ++out.start[row + 1];
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.ids.reserve(pairs.size());
  for (const auto& [row, id] : pairs) out.ids.push_back(id);
  return out;
}

std::vector<int> edges_of(std::span<const int> elements, int corners_each) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t e = 0; e < elements.size(); e += corners_each)
    for (int i = 0; i < corners_each; ++i)
      for (int j = i + 1; j < corners_each; ++j) pairs.push_back(std::minmax({elements[e + i], elements[e + j]}));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<int> out;
  out.reserve(2 * pairs.size());
  for (const auto& [a, b] : pairs) out.insert(out.end(), {a, b});
  return out;
}

int root(std::vector<int>& parent, int v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

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

Adjacency vertex_to_tets(const TetMesh& mesh) {
  Adjacency out;
  out.start.assign(mesh.vertex_count() + 1, 0);
  for (int v : mesh.tets) ++out.start[v + 1];
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.ids.resize(mesh.tets.size());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) out.ids[next[mesh.tets[i]]++] = static_cast<int>(i / 4);
  return out;
}

Adjacency tet_to_tets(const TetMesh& mesh) {
  const std::vector<Face> faces = sorted_faces(mesh);
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0, end; i < faces.size(); i = end) {
    for (end = i + 1; end < faces.size() && faces[end].same_vertices(faces[i]);) ++end;
    for (std::size_t a = i; a < end; ++a)
      for (std::size_t b = i; b < end; ++b)
        if (faces[a].tet != faces[b].tet) pairs.emplace_back(faces[a].tet, faces[b].tet);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return compress(mesh.tet_count(), pairs);
}

std::vector<int> unique_edges(const TetMesh& mesh) { return edges_of(mesh.tets, 4); }
std::vector<int> unique_edges(const TriangleMesh& mesh) { return edges_of(mesh.triangles, 3); }

Components components(const TetMesh& mesh) {
  std::vector<int> parent(mesh.vertex_count());
  std::iota(parent.begin(), parent.end(), 0);
  for (std::size_t i = 0; i < mesh.tets.size(); ++i)
    parent[root(parent, mesh.tets[i])] = root(parent, mesh.tets[i - i % 4]);

  Components out;
  std::vector<int> label(mesh.vertex_count(), -1);  // of each root, in the order of the tets
  for (std::size_t i = 0; i < mesh.tets.size(); i += 4) {
    int& l = label[root(parent, mesh.tets[i])];
    if (l < 0) l = out.count++;
    out.of_tet.push_back(l);
  }
  for (int v = 0; v < mesh.vertex_count(); ++v) out.of_vertex.push_back(label[root(parent, v)]);
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
