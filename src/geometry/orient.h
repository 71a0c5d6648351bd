// Triangles that face outward, as far as a surface that may be broken lets one tell. Used by fill_surface.
#pragma once
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

/// Parts of a surface, joined where exactly two triangles share an edge; vertices at the same place count as one.
/// `of_triangle[t]` is the part of triangle t.
struct SurfaceParts {
  int count = 0;
  std::vector<int> of_triangle;
};

/// Turns triangles around so that neighbours agree, then everything if it encloses a negative volume, then single
/// parts that are inside out unless they bound a cavity of others. Returns how many triangles were turned: their
/// second and third corner are exchanged.
int orient_outward(TriangleMesh& mesh, SurfaceParts& parts);

}  // namespace resilin
