// Which vertices hang together: two vertices are of one component when elements or couplings lead from one to the
// other.
#pragma once
#include <vector>

#include "resilin/model.h"

namespace resilin {

/// Of each vertex: 0, 1, ... in the order of their first vertices.
std::vector<int> connected_components(const Model& model);

}  // namespace resilin
