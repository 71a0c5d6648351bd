// What surface formats show of a mesh: its triangles, the boundary of tets where no triangles say it, and edges;
// only the vertices that those use, in ascending order. Every surface format numbers vertices this way, so that a
// point cache fits the OBJ that was written beside it.
#pragma once
#include <string>
#include <vector>

#include "resilin/io.h"

namespace resilin {

MeshData drawn(const MeshData& mesh);
/// The same; `vertex_map[i]`: the vertex of `mesh` that vertex i of the result was.
MeshData drawn(const MeshData& mesh, std::vector<int>& vertex_map);

/// What of it formats show that draw no springs over triangles.
MeshData drawn_once(const MeshData& mesh);

/// The first group (by name) of each element, or "".
std::vector<std::string> first_groups(const Groups& groups, int count);

/// A piece of an animation that renderers show as an object of its own: a body.
struct Part {
  std::string name;
  std::vector<int> vertices;          // of the animation's mesh
  std::vector<int> triangles, edges;  // into `vertices`
};
/// One part per group of triangles (or edges), and one for the rest.
std::vector<Part> parts_of(const MeshData& mesh);

/// An animation of one frame.
Animation still(const MeshData& mesh);

/// Xyz of a list of vertices as floats.
std::vector<float> pick(const std::vector<double>& positions, const std::vector<int>& vertices);

}  // namespace resilin
