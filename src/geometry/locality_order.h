// An order of vertices in which neighbours in space are neighbours in memory: along a Hilbert curve through
// their bounding cube. The model sorts vertices by it once, at set-up, for caches and for the fixed
// partition. It knows no elements.
#pragma once
#include <span>
#include <vector>

namespace resilin {

/// order[k] = the vertex at place k; a permutation of 0 .. n - 1. Vertices on the same lattice cell (2^-20 of
/// the cube) keep the order of their ids. Non-finite vertices come in the cell of the lower corner.
std::vector<int> locality_order(std::span<const double> vertices, int n);

}  // namespace resilin
