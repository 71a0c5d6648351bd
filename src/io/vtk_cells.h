// What VTK's two formats share: types of cells and of numbers, and integer arrays that stand for groups.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/mesh_builder.h"

namespace resilin {

/// A number type by its name in either format ("float", "Float32"); bytes == 0: unknown.
struct VtkNumber {
  std::size_t bytes = 0;
  bool real = false, is_signed = false;
};
VtkNumber vtk_number(std::string_view name);
/// `count` numbers from bytes; whole numbers up to 2^53 are exact.
std::vector<double> vtk_decode(const char* from, std::size_t count, const VtkNumber& type, bool swap);

/// Values per cell or per point. Arrays called "group:NAME" are 0 or 1; some well-known ones number regions.
struct VtkArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};
/// Whether such an array is worth reading.
bool is_group_array(std::string_view name);

/// Cells from VTK's lists: cell i has the points connectivity[ends[i - 1]] .. connectivity[ends[i] - 1]. Points
/// count from `first_vertex`; `vertices` is how many there are. Errors are located at the cursor.
void add_vtk_cells(MeshBuilder& build, const Cursor& in, const std::vector<double>& connectivity,
                   const std::vector<double>& ends, const std::vector<double>& types,
                   std::pair<int, int> first_and_count, const std::vector<VtkArray>& cell_arrays);
/// Groups of vertices.
void add_vtk_point_groups(MeshBuilder& build, int first_vertex, const std::vector<VtkArray>& arrays);

/// For writers: all cells, tets first, then triangles, then edges.
struct VtkCells {
  std::vector<std::int32_t> connectivity, offsets;
  std::vector<std::uint8_t> types;
  /// 0 or 1 per cell of each group.
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> groups;
  explicit VtkCells(const MeshData& mesh);
};

}  // namespace resilin
