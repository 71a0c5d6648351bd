// Which vertices of a mesh file are one. Between diagnosis and repair: both must agree on it.
#pragma once
#include <vector>

#include "resilin/io.h"

namespace resilin {

/// Parts of the mesh that share no vertex, over all kinds of elements.
struct Parts {
  int count = 0;
  std::vector<int> of_vertex;  // -1: no element uses it
};
Parts find_parts(const MeshData& mesh);

/// The vertex that each one becomes. Bodies that are closed by themselves (solids, closed surfaces) stay apart
/// where they touch: welding would glue them together. Vertices that nothing uses are left as they are.
std::vector<int> weld_map(const MeshData& mesh);
bool welds_anything(const std::vector<int>& map);

struct RepairStep;
/// One triangle stays with one that continues it, the others get vertices of their own.
void cut_crowded_edges(MeshData& mesh, std::vector<RepairStep>& steps);

}  // namespace resilin
