// VTU: VTK's XML file of unstructured meshes, one per frame, and the PVD file that puts them on a time line
// (ParaView, PyVista). Numbers are base64 of their bytes, packed by zlib: compact, and equal bit for bit when read
// back. A .pvd names whole files, so that every frame repeats the elements. Points are all vertices of the model in
// their order; the cells of a body are its tets or, where it has none, its triangles or else its edges. Embedded
// surfaces follow: their vertices after those of the model, their triangles after the tets, and the array
// "embedded" is 1 there.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "io/base64.h"
#include "io/vtk_cells.h"
#include "io/vtu_read.h"
#include "io/xml.h"

namespace resilin {
namespace {

static_assert(std::endian::native == std::endian::little, "the header below promises little-endian numbers");

const char* type_name(double) { return "Float64"; }
const char* type_name(std::int32_t) { return "Int32"; }
const char* type_name(std::uint8_t) { return "UInt8"; }

std::string bytes_of(const std::vector<std::uint64_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::uint64_t)};
}

// Packed: blocks of equal size but the last. Before them stand their number, that size, the last one's size (0:
// full) and the packed size of each. Plain: the bytes after their number.
std::string encoded(std::string_view bytes) {
  if (!has_zlib()) return base64(bytes_of({bytes.size()}) + std::string(bytes));
  constexpr std::size_t block = std::size_t{1} << 18;
  std::vector<std::uint64_t> sizes{(bytes.size() + block - 1) / block, block, bytes.size() % block};
  std::string packed;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(block, bytes.size()))) {
    const std::string one = deflate_fast(bytes.substr(0, block));
    sizes.push_back(one.size());
    packed += one;
  }
  return base64(bytes_of(sizes)) + base64(packed);
}

template <class T>
std::string data_array(const std::string& name, const std::vector<T>& values, int components = 1) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
      type_name(T{}), xml_escaped(name), components, encoded(bytes));
}

std::string file_begin() {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\"{}>\n<UnstructuredGrid>\n",
      has_zlib() ? " compressor=\"vtkZLibDataCompressor\"" : "");
}

struct Cells {
  std::vector<std::int32_t> connectivity, offsets, body;
  std::vector<std::uint8_t> types, embedded;

  void add(const std::vector<int>& ids, int corners, int vtk_type, int of_body, bool is_embedded = false) {
    for (std::size_t i = 0; i < ids.size(); i += static_cast<std::size_t>(corners)) {
      connectivity.insert(connectivity.end(), ids.begin() + static_cast<std::ptrdiff_t>(i),
                          ids.begin() + static_cast<std::ptrdiff_t>(i) + corners);
      offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
      types.push_back(static_cast<std::uint8_t>(vtk_type));
      body.push_back(of_body);
      embedded.push_back(is_embedded ? 1 : 0);
    }
  }
};

Cells cells_of(const Model& model) {
  constexpr int vtk_vertex = 1, vtk_line = 3, vtk_triangle = 5, vtk_tetra = 10;
  Cells cells;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Body& body = model.bodies[b];
    if (!body.tets.empty()) cells.add(body.tets, 4, vtk_tetra, b);
    else if (!body.triangles.empty()) cells.add(body.triangles, 3, vtk_triangle, b);
    else if (!body.edges.empty()) cells.add(body.edges, 2, vtk_line, b);
    else
      for (int i = 0; i < body.vertex_count; ++i) cells.add({body.first_vertex + i}, 1, vtk_vertex, b);
  }
  const Model shown = with_embedded(model);
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const auto i = static_cast<std::size_t>(b);
    if (!model.bodies[i].embedded.empty()) cells.add(shown.bodies[i].triangles, 3, vtk_triangle, b, true);
  }
  return cells;
}

// The number of cells where none is.
std::size_t first_embedded(const Cells& cells) {
  return static_cast<std::size_t>(std::find(cells.embedded.begin(), cells.embedded.end(), std::uint8_t{1}) -
                                  cells.embedded.begin());
}

// A triangle of an embedded surface has the mean of the tets that carry its corners.
void carry(const Model& model, const NamedField& field, std::vector<double>& values, std::size_t triangle) {
  const auto n = static_cast<std::size_t>(field.components);
  std::size_t first_tet = 0;
  for (const Body& body : model.bodies) {
    for (std::size_t i = 0; i < body.embedded.surface.triangles.size(); ++i)
      for (std::size_t c = 0; c < n; ++c) {
        const auto tet = static_cast<std::size_t>(body.embedded.tet[body.embedded.surface.triangles[i]]);
        values[n * (triangle + i / 3) + c] += field.values[n * (first_tet + tet) + c] / 3;
      }
    triangle += body.embedded.surface.triangles.size() / 3;
    first_tet += body.tets.size() / 4;
  }
}

// Fields of tets and of the triangles of shells as fields of all cells: zero elsewhere.
std::string element_arrays(const Frame& frame, const Cells& cells) {
  constexpr std::uint8_t tet = 10, triangle = 5;
  std::string out;
  if (frame.element_fields == nullptr) return out;
  for (const NamedField& field : *frame.element_fields) {
    const auto n = static_cast<std::size_t>(field.components);
    std::vector<double> values(n * cells.types.size(), 0.0);
    std::size_t next = 0;
    for (const std::uint8_t type : {tet, triangle})
      for (std::size_t c = 0; c < cells.types.size(); ++c) {
        if (cells.types[c] != type || cells.embedded[c] != 0) continue;
        std::copy_n(field.values.begin() + static_cast<std::ptrdiff_t>(next), n,
                    values.begin() + static_cast<std::ptrdiff_t>(n * c));
        next += n;
      }
    carry(*frame.model, field, values, first_embedded(cells));
    out += data_array(field.name, values, field.components);
  }
  return out;
}

std::string write_frame(const Frame& frame) {
  const Cells cells = cells_of(*frame.model);
  const std::vector<double> q = with_embedded(*frame.model, *frame.positions),
                            v = with_embedded(*frame.model, *frame.velocities);
  std::string out = file_begin() + "<FieldData>\n";
  out += fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
      frame.time);
  out += fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", q.size() / 3,
                     cells.types.size());
  out += "<Points>\n" + data_array("Points", q, 3) + "</Points>\n";
  out += "<Cells>\n" + data_array("connectivity", cells.connectivity) + data_array("offsets", cells.offsets) +
         data_array("types", cells.types) + "</Cells>\n";
  out += "<PointData Vectors=\"velocity\">\n" + data_array("velocity", v, 3) + "</PointData>\n";
  out += "<CellData Scalars=\"body\">\n" + data_array("body", cells.body) + element_arrays(frame, cells);
  if (first_embedded(cells) < cells.types.size()) out += data_array("embedded", cells.embedded);
  out += "</CellData>\n";
  return out + "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

std::string write(const MeshData& mesh, const WriteOptions&) {
  const VtkCells cells(mesh);
  std::string out = file_begin();
  out +=
      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", mesh.vertex_count(), cells.types.size());
  out += "<Points>\n" + data_array("Points", mesh.vertices, 3) + "</Points>\n<Cells>\n" +
         data_array("connectivity", cells.connectivity) + data_array("offsets", cells.offsets) +
         data_array("types", cells.types) + "</Cells>\n<PointData>\n";
  for (const auto& [name, ids] : mesh.vertex_groups) {
    std::vector<std::uint8_t> flags(mesh.vertices.size() / 3, 0);
    for (const int id : ids) flags[id] = 1;
    out += data_array("group:" + name, flags);
  }
  for (const NamedField& field : mesh.vertex_fields) out += data_array(field.name, field.values, field.components);
  out += "</PointData>\n<CellData>\n";
  for (const auto& [name, flags] : cells.groups) out += data_array("group:" + name, flags);
  for (NamedField field : mesh.tet_fields) {  // tets come first
    field.values.resize(cells.types.size() * static_cast<std::size_t>(field.components), 0.0);
    out += data_array(field.name, field.values, field.components);
  }
  return out + "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

std::string write_index(const std::vector<std::pair<double, std::string>>& frames) {
  std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (const auto& [time, file] : frames)
    out += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, xml_escaped(file));
  return out + "</Collection>\n</VTKFile>\n";
}

}  // namespace

FormatPlugin format_vtu() {
  return {.doc =
              "VTK XML mesh, with velocities, stretches, stresses and energies of every frame and a .pvd time line "
              "(ParaView, PyVista)",
          .extension = ".vtu",
          .write_frame = write_frame,
          .write_index = write_index,
          .index_extension = ".pvd",
          .recognises =
              [](std::string_view text) { return text.substr(0, 4096).find("<VTKFile") != std::string_view::npos; },
          .read = read_vtu,
          .write = write};
}

}  // namespace resilin
