// Delaunay triangulation by flips (Lawson 1977): an edge is turned while the angles that face it sum up to more
// than 180 degrees. The boundary stays as it is. Sheets that are flat use it; it looks at x and y only.
#pragma once
#include "resilin/mesh.h"

namespace resilin {

/// `mesh`: triangles that face +z, without a fold. Returns how many edges were flipped.
int flip_to_delaunay(TriangleMesh& mesh);

}  // namespace resilin
