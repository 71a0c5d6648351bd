// The faces of a tet mesh, sorted so that equal ones are neighbours. The one place where faces are matched:
// surface, adjacency and check read it. It knows nothing of positions.
#pragma once
#include <compare>
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

/// Local vertices of the face opposite to vertex i, outward for a positive tet.
inline constexpr int tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

struct Face {
  int a, b, c;  // ascending vertex ids
  int tet;      // owner
  int local;    // opposite to this local vertex
  auto operator<=>(const Face&) const = default;
  bool same_vertices(const Face& o) const { return a == o.a && b == o.b && c == o.c; }
};

/// Four per tet, ascending by (a, b, c, tet).
std::vector<Face> sorted_faces(const TetMesh& mesh);
/// Only the tets whose entry in `use` is true: check() excludes those whose ids cannot be trusted.
std::vector<Face> sorted_faces(const TetMesh& mesh, const std::vector<bool>& use);

}  // namespace resilin
