// What bodies touch with: the triangles, edges and vertices of all of them, as tables that depend on the topology
// only. Made once per model; read by the search for pairs and by the energies on them. It knows no positions.
#pragma once
#include <array>
#include <vector>

#include "resilin/mesh.h"
#include "resilin/model.h"

namespace resilin {

/// Vertices are ids of the model. A body brings its triangles and their edges; without triangles its edges (ropes);
/// without those its vertices (particles). Vertices inside of a solid are no part of it.
struct ContactSurface {
  std::vector<std::array<int, 3>> triangles;       // body after body
  std::vector<std::array<int, 3>> triangle_edges;  // edge k joins corners k and k + 1
  std::vector<int> triangle_body;

  std::vector<std::array<int, 2>> edges;  // each once, (smaller, larger), ascending
  std::vector<int> edge_body;
  Adjacency edge_triangles;  // one: on a boundary; two: inside; none: of a rope

  std::vector<int> vertices;    // ascending
  std::vector<int> body;        // of every vertex of the model; -1: of none
  Adjacency vertex_triangles;   // of every vertex of the model
  std::vector<char> on_border;  // of every vertex of the model: an edge of it has less than two triangles

  int body_count = 0;
  int vertex_count = 0;  // of the model

  int triangle_count() const { return static_cast<int>(triangles.size()); }
  int edge_count() const { return static_cast<int>(edges.size()); }
  /// The edge between two vertices; -1: there is none.
  int edge_of(int a, int b) const;
};

ContactSurface contact_surface(const Model& model);

}  // namespace resilin
