// A detailed surface carried by a coarse solid: every vertex of the surface is a fixed combination of the corners
// of one tet.
//
//   Embedding e = embed(cage, surface);   e.place(cage.tets, q, x);   // x: the surface where the cage is at q
//
// Made by scenes whose body is a surface, read by everything that draws. It must not know models or files.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

struct Embedding {
  TriangleMesh surface;  // as it is at rest
  std::vector<int> tet;  // per vertex of the surface
  std::vector<std::array<double, 4>>
      weights;  // of the tet's corners; they sum to 1 and are negative outside of the tet

  bool empty() const { return tet.empty(); }
  int vertex_count() const { return static_cast<int>(tet.size()); }
  /// Appends the values (`components` each) of the surface's vertices to `out`. `values`: of the vertices that
  /// `tets` name.
  void place(std::span<const int> tets, std::span<const double> values, std::vector<double>& out,
             int components = 3) const;
};

/// Binds each vertex to the tet that contains it, or else to the closest. The cage needs a tet.
Embedding embed(const TetMesh& cage, TriangleMesh surface);

}  // namespace resilin
