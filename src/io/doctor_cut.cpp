// Edges of more than two triangles, cut: what a shell needs, since it cannot bend about such an edge.
#include <fmt/format.h>

#include <algorithm>

#include "core/disjoint_sets.h"
#include "geometry/surface_patches.h"
#include "io/doctor.h"
#include "io/doctor_weld.h"

namespace resilin {
namespace {

// Corners of triangles (3 t + k) that are one vertex after the cut.
class Corners {
 public:
  explicit Corners(const std::vector<int>& triangles) : triangles_(triangles), sets_(triangles.size()) {}
  int root(int c) { return sets_.root(c); }
  // Two triangles along an edge that they share.
  void join(const HalfEdge& one, const HalfEdge& other) {
    for (const int v : {one.a, one.b}) sets_.join(corner(one.triangle, v), corner(other.triangle, v));
  }

 private:
  int corner(int t, int v) const {
    const int* ids = triangles_.data() + 3 * static_cast<std::size_t>(t);
    return 3 * t + static_cast<int>(std::find(ids, ids + 3, v) - ids);
  }
  const std::vector<int>& triangles_;
  DisjointSets sets_;
};

void add_copy(MeshData& mesh, int v) {
  const auto from = 3 * static_cast<std::size_t>(v);
  const double x[] = {mesh.vertices[from], mesh.vertices[from + 1], mesh.vertices[from + 2]};
  const int copy = mesh.vertex_count();
  mesh.vertices.insert(mesh.vertices.end(), x, x + 3);
  for (auto& [name, ids] : mesh.vertex_groups)
    if (std::binary_search(ids.begin(), ids.end(), v)) ids.push_back(copy);
  for (NamedField& field : mesh.vertex_fields)
    for (int k = 0; k < field.components; ++k) field.values.push_back(field.values[field.components * v + k]);
}

}  // namespace

// At such an edge the first triangle stays with the first that continues it. At its ends, what is joined by edges
// stays together; all else gets a copy of the vertex. Other vertices stay as they are.
void cut_crowded_edges(MeshData& mesh, std::vector<RepairStep>& steps) {
  const std::vector<bool> all(static_cast<std::size_t>(mesh.triangle_count()), true);
  const std::vector<HalfEdge> half_edges = sorted_half_edges(mesh.triangles, all);
  Corners corners(mesh.triangles);
  std::vector<char> on_cut(static_cast<std::size_t>(mesh.vertex_count()), 0);
  int edges = 0;
  for_each_edge(half_edges, [&](std::span<const HalfEdge> edge) {
    const auto next =
        std::find_if(edge.begin() + 1, edge.end(), [&](const HalfEdge& h) { return h.forward != edge[0].forward; });
    if (edge.size() == 2) corners.join(edge[0], edge[1]);
    else if (edge.size() > 2 && next != edge.end()) corners.join(edge[0], *next);
    if (edge.size() <= 2) return;
    ++edges;
    on_cut[edge[0].a] = on_cut[edge[0].b] = 1;
  });
  if (edges == 0) return;
  const int before = mesh.vertex_count();
  std::vector<int> owner(static_cast<std::size_t>(before), -1);  // the set that keeps the vertex
  std::vector<int> renamed(mesh.triangles.size(), -1);           // of each set
  for (int c = 0; c < static_cast<int>(mesh.triangles.size()); ++c) {
    const int v = mesh.triangles[c], set = corners.root(c);
    if (on_cut[v] == 0) continue;
    int& keeper = owner[v];
    int& name = renamed[set];
    if (keeper < 0) keeper = set;
    if (name < 0) {
      name = keeper == set ? v : mesh.vertex_count();
      if (keeper != set) add_copy(mesh, v);
    }
    mesh.triangles[c] = name;
  }
  steps.push_back({"cut_edges", edges,
                   fmt::format("{} edges of more than two triangles were cut, {} vertices were doubled: the parts "
                               "are joined there no more",
                               edges, mesh.vertex_count() - before)});
}

}  // namespace resilin
