// VTU: VTK's XML file of unstructured meshes, one per frame, and the PVD file that puts them on a time line (ParaView,
// PyVista). Numbers are base64 of their bytes (each array preceded by its size as UInt64): compact, and equal bit for bit
// when read back. Points are all vertices of the model in their order; the cells of a body are its tets or, where it has
// none, its triangles or else its edges.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "resilin/io.h"

namespace resilin {
namespace {

static_assert(std::endian::native == std::endian::little, "the header below promises little-endian numbers");

std::string base64(const std::string& bytes) {
  static const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  std::size_t o = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3, o += 4) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k <= n; ++k) out[o + k] = digits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

template <class T>
const char* type_name();
template <>
const char* type_name<double>() {
  return "Float64";
}
template <>
const char* type_name<std::int32_t>() {
  return "Int32";
}
template <>
const char* type_name<std::uint8_t>() {
  return "UInt8";
}

template <class T>
std::string data_array(const std::string& name, const std::vector<T>& values, int components = 1) {
  const std::uint64_t size = values.size() * sizeof(T);
  std::string bytes(sizeof size + size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
      type_name<T>(), name, components, base64(bytes));
}

struct Cells {
  std::vector<std::int32_t> connectivity, offsets, body;
  std::vector<std::uint8_t> types;

  void add(const std::vector<int>& ids, int corners, int vtk_type, int of_body) {
    for (std::size_t i = 0; i < ids.size(); i += static_cast<std::size_t>(corners)) {
      connectivity.insert(connectivity.end(), ids.begin() + static_cast<std::ptrdiff_t>(i),
                          ids.begin() + static_cast<std::ptrdiff_t>(i) + corners);
      offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
      types.push_back(static_cast<std::uint8_t>(vtk_type));
      body.push_back(of_body);
    }
  }
};

Cells cells_of(const Model& model) {
  constexpr int vtk_vertex = 1, vtk_line = 3, vtk_triangle = 5, vtk_tetra = 10;
  Cells cells;
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    const Body& body = model.bodies[static_cast<std::size_t>(b)];
    if (!body.tets.empty()) cells.add(body.tets, 4, vtk_tetra, b);
    else if (!body.triangles.empty()) cells.add(body.triangles, 3, vtk_triangle, b);
    else if (!body.edges.empty()) cells.add(body.edges, 2, vtk_line, b);
    else
      for (int i = 0; i < body.vertex_count; ++i) cells.add({body.first_vertex + i}, 1, vtk_vertex, b);
  }
  return cells;
}

std::string write_frame(const Frame& frame) {
  const Cells cells = cells_of(*frame.model);
  std::string out =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<UnstructuredGrid>\n<FieldData>\n";
  out += fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
      frame.time);
  out += fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                     frame.state->q.size() / 3, cells.types.size());
  out += "<Points>\n" + data_array("Points", frame.state->q, 3) + "</Points>\n";
  out += "<Cells>\n" + data_array("connectivity", cells.connectivity) + data_array("offsets", cells.offsets) +
         data_array("types", cells.types) + "</Cells>\n";
  out += "<PointData Vectors=\"velocity\">\n" + data_array("velocity", frame.state->v, 3) + "</PointData>\n";
  out += "<CellData Scalars=\"body\">\n" + data_array("body", cells.body) + "</CellData>\n";
  return out + "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

std::string write_index(const std::vector<std::pair<double, std::string>>& frames) {
  std::string out = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (const auto& [time, file] : frames)
    out += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, escaped(file));
  return out + "</Collection>\n</VTKFile>\n";
}

}  // namespace

FormatPlugin format_vtu() {
  return {
      .doc =
          "VTK XML mesh of every frame with velocities and body numbers, and a .pvd time line (ParaView, PyVista)",
      .extension = ".vtu",
      .write_frame = write_frame,
      .write_index = write_index,
      .index_extension = ".pvd"};
}

}  // namespace resilin
