#include "io/vtk_cells.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>

namespace resilin {
namespace {

using Shape = CellType::Shape;

constexpr CellType cell_types[] = {{1, "vertex", Shape::point, 1, 1},
                                   {3, "line", Shape::edge, 2, 2},
                                   {5, "triangle", Shape::triangle, 3, 3},
                                   {7, "polygon", Shape::polygon, 0, 0},
                                   {9, "quad", Shape::quad, 4, 4},
                                   {10, "tetra", Shape::tet, 4, 4},
                                   {2, "poly-vertex", Shape::other, 0, 0},
                                   {4, "poly-line", Shape::other, 0, 0},
                                   {6, "triangle strip", Shape::other, 0, 0},
                                   {8, "pixel", Shape::other, 4, 4},
                                   {11, "voxel", Shape::other, 8, 8},
                                   {12, "hexahedron", Shape::other, 8, 8},
                                   {13, "wedge", Shape::other, 6, 6},
                                   {14, "pyramid", Shape::other, 5, 5},
                                   {21, "quadratic edge", Shape::edge, 2, 3},
                                   {22, "quadratic triangle", Shape::triangle, 3, 6},
                                   {23, "quadratic quad", Shape::quad, 4, 8},
                                   {24, "quadratic tetra", Shape::tet, 4, 10},
                                   {25, "quadratic hexahedron", Shape::other, 8, 20},
                                   {26, "quadratic wedge", Shape::other, 6, 15},
                                   {27, "quadratic pyramid", Shape::other, 5, 13},
                                   {42, "polyhedron", Shape::other, 0, 0}};

// Lagrange and Bezier cells of any order: corners first, as everywhere.
const CellType* cell_type(double code, CellType& high_order, std::size_t nodes) {
  for (const CellType& type : cell_types)
    if (type.code == code) return &type;
  const int n = static_cast<int>(nodes);
  if (code == 68 || code == 75) high_order = {68, "Lagrange curve", Shape::edge, 2, n};
  else if (code == 69 || code == 76) high_order = {69, "Lagrange triangle", Shape::triangle, 3, n};
  else if (code == 71 || code == 78) high_order = {71, "Lagrange tetra", Shape::tet, 4, n};
  else if (code >= 70 && code <= 81) high_order = {70, "Lagrange cell", Shape::other, 0, 0};
  else return nullptr;
  return &high_order;
}

const char* const region_arrays[] = {"gmsh:physical", "medit:ref", "CellEntityIds", "MaterialIds", "RegionId",
                                     "region",        "material",  "body",          "cell_tags"};

std::string group_of(const std::string& array, double value) {
  if (array.starts_with("group:")) return value != 0 ? array.substr(6) : "";
  if (value != std::floor(value) || std::abs(value) > 1e15 || (value == 0 && array != "body")) return "";
  std::string prefix = array;
  for (char& c : prefix)
    if (c == ':') c = '_';
  return tag_group(prefix.c_str(), static_cast<std::int64_t>(value));
}

}  // namespace

VtkNumber vtk_number(std::string_view name) {
  constexpr struct {
    const char* name;
    VtkNumber type;
  } known[] = {{"float", {4, true, true}},           {"double", {8, true, true}},
               {"Float32", {4, true, true}},         {"Float64", {8, true, true}},
               {"char", {1, false, true}},           {"Int8", {1, false, true}},
               {"signed_char", {1, false, true}},    {"unsigned_char", {1, false, false}},
               {"UInt8", {1, false, false}},         {"short", {2, false, true}},
               {"Int16", {2, false, true}},          {"unsigned_short", {2, false, false}},
               {"UInt16", {2, false, false}},        {"int", {4, false, true}},
               {"Int32", {4, false, true}},          {"unsigned_int", {4, false, false}},
               {"UInt32", {4, false, false}},        {"long", {8, false, true}},
               {"Int64", {8, false, true}},          {"vtktypeint64", {8, false, true}},
               {"unsigned_long", {8, false, false}}, {"UInt64", {8, false, false}},
               {"vtkIdType", {4, false, true}},      {"vtktypeuint64", {8, false, false}},
               {"vtktypeint32", {4, false, true}},   {"long_long", {8, false, true}}};
  for (const auto& entry : known)
    if (name == entry.name) return entry.type;
  return {};
}

std::vector<double> vtk_decode(const char* from, std::size_t count, const VtkNumber& type, bool swap) {
  std::vector<double> out;
  out.reserve(count);
  const auto read = [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i)
      out.push_back(static_cast<double>(Cursor::decode<T>(from + i * sizeof(T), swap)));
  };
  if (type.real) type.bytes == 4 ? read(float{}) : read(double{});
  else if (type.bytes == 1) type.is_signed ? read(std::int8_t{}) : read(std::uint8_t{});
  else if (type.bytes == 2) type.is_signed ? read(std::int16_t{}) : read(std::uint16_t{});
  else if (type.bytes == 4) type.is_signed ? read(std::int32_t{}) : read(std::uint32_t{});
  else type.is_signed ? read(std::int64_t{}) : read(std::uint64_t{});
  return out;
}

bool is_group_array(std::string_view name) {
  if (name.starts_with("group:")) return true;
  for (const char* known : region_arrays)
    if (name == known) return true;
  return false;
}

void add_vtk_cells(MeshBuilder& build, const Cursor& in, const std::vector<double>& connectivity,
                   const std::vector<double>& ends, const std::vector<double>& types,
                   std::pair<int, int> first_and_count, const std::vector<VtkArray>& cell_arrays) {
  const auto [first, count] = first_and_count;
  if (ends.size() != types.size())
    in.fail(fmt::format("{} cells have an offset, but {} have a type", ends.size(), types.size()));
  std::vector<int> ids;
  double begin = 0;
  for (std::size_t c = 0; c < ends.size(); ++c) {
    const double end = ends[c];
    if (!(end >= begin && end <= static_cast<double>(connectivity.size())) || end != std::floor(end))
      in.fail(fmt::format("cell {} ends at {}: {} to {} is expected", c, end, begin, connectivity.size()));
    CellType high_order{};
    const CellType* type = cell_type(types[c], high_order, static_cast<std::size_t>(end - begin));
    if (type == nullptr) in.fail(fmt::format("cell {} is of the unknown type {}", c, types[c]));
    ids.clear();
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const double id = connectivity[i];
      if (!(id >= 0 && id < count) || id != std::floor(id))
        in.fail(fmt::format("cell {} names point {}: there are 0 to {}", c, id, count - 1));
      ids.push_back(first + static_cast<int>(id));
    }
    begin = end;
    const bool fits = type->shape == Shape::polygon ? ids.size() >= 3
                      : type->nodes == 0
                          ? true
                          : ids.size() == static_cast<std::size_t>(type->nodes) && type->nodes >= type->corners;
    if (!fits) in.fail(fmt::format("cell {} is a {} of {} points", c, type->name, ids.size()));
    const Added added = build.add(*type, ids);
    for (const VtkArray& array : cell_arrays) {
      if (array.components != 1 || array.values.size() != ends.size()) continue;
      const std::string group = group_of(array.name, array.values[c]);
      if (!group.empty()) build.put(added, group);
    }
  }
}

void add_vtk_point_groups(MeshBuilder& build, int first_vertex, const std::vector<VtkArray>& arrays) {
  const std::size_t count = build.mesh.vertices.size() / 3 - static_cast<std::size_t>(first_vertex);
  for (const VtkArray& array : arrays) {
    if (!array.name.starts_with("group:") || array.components != 1 || array.values.size() != count) continue;
    for (std::size_t i = 0; i < count; ++i)
      if (array.values[i] != 0)
        build.mesh.vertex_groups[array.name.substr(6)].push_back(first_vertex + static_cast<int>(i));
  }
}

VtkCells::VtkCells(const MeshData& mesh) {
  const auto add = [&](const std::vector<int>& ids, std::size_t corners, std::uint8_t type) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      connectivity.push_back(ids[i]);
      if ((i + 1) % corners != 0) continue;
      offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
      types.push_back(type);
    }
  };
  add(mesh.tets, 4, 10), add(mesh.triangles, 3, 5), add(mesh.edges, 2, 3);
  if (types.empty())  // viewers show nothing of a file without cells
    for (int i = 0; i < mesh.vertex_count(); ++i)
      connectivity.push_back(i), offsets.push_back(i + 1), types.push_back(1);
  std::set<std::string> names;
  const Groups* all[] = {&mesh.tet_groups, &mesh.triangle_groups, &mesh.edge_groups};
  const int starts[] = {0, mesh.tet_count(), mesh.tet_count() + mesh.triangle_count()};
  for (const Groups* kind : all)
    for (const auto& [name, ids] : *kind) names.insert(name);
  for (const std::string& name : names) {
    std::vector<std::uint8_t> flags(types.size(), 0);
    for (std::size_t k = 0; k < std::size(all); ++k)
      if (const auto it = all[k]->find(name); it != all[k]->end())
        for (const int id : it->second) flags[starts[k] + id] = 1;
    groups.emplace_back(name, std::move(flags));
  }
}

}  // namespace resilin
