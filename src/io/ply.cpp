// PLY (Stanford), text and both binaries, with any properties: those that are not positions or vertex lists are
// skipped. Faces are fanned into triangles. Written: binary little-endian doubles, or text.
#include <fmt/format.h>

#include <bit>

#include "io/bytes.h"
#include "io/drawn.h"
#include "io/mesh_builder.h"
#include "io/put_text.h"

namespace resilin {
namespace {

using Shape = CellType::Shape;
constexpr CellType face_type{0, "face", Shape::polygon, 0, 0}, edge_type{0, "edge", Shape::edge, 2, 2};

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct Property {
  std::string name;
  Type type = Type::float32, length = Type::uint8;
  bool is_list = false;
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};

std::size_t size_of(Type type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

class Reader {
 public:
  Reader(const MeshSource& source, const ReadOptions& options) : in_(source), build_(in_, options) {}

  MeshData read() {
    header();
    in_.set_binary(!text_);
    for (const Element& element : elements_) {
      if (element.name == "vertex") vertices(element);
      else if (element.properties.empty() && element.count > 0)
        in_.fail(fmt::format("{} elements \"{}\" without a property", element.count, shown(element.name)));
      else if (element.name == "face") faces(element);
      else if (element.name == "edge") edges(element);
      else others(element);
    }
    if (!have_vertices_) in_.fail("the file has no element \"vertex\"");
    return build_.finish();
  }

 private:
  void header() {
    if (in_.word() != "ply") in_.fail("a PLY file begins with \"ply\"");
    in_.line();
    while (true) {
      if (!in_.skip_space()) in_.fail("the header has no end (\"end_header\")");
      const std::string_view key = in_.word();
      if (key == "format") {
        const std::string_view format = in_.word();
        if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
          in_.fail(fmt::format("\"{}\" is no format of PLY", shown(format)));
        text_ = format == "ascii";
        swap_ = (format == "binary_big_endian") == (std::endian::native == std::endian::little);
      } else if (key == "element") {
        Element element;
        element.name = std::string(in_.word());
        element.count = in_.integer("the number of elements");
        elements_.push_back(element);
      } else if (key == "property") {
        if (elements_.empty()) in_.fail("a property before the first element");
        Property property;
        std::string_view word = in_.word();
        property.is_list = word == "list";
        if (property.is_list) property.length = type(in_.word()), word = in_.word();
        property.type = type(word);
        property.name = std::string(in_.word());
        elements_.back().properties.push_back(property);
      } else if (key == "end_header") {
        in_.line();
        return;
      } else if (key != "comment" && key != "obj_info") {
        in_.fail(fmt::format("\"{}\" is unknown in a header", shown(key)));
      }
      in_.line();
    }
  }

  Type type(std::string_view name) const {
    constexpr std::pair<const char*, Type> names[] = {
        {"char", Type::int8},      {"int8", Type::int8},       {"uchar", Type::uint8},
        {"uint8", Type::uint8},    {"short", Type::int16},     {"int16", Type::int16},
        {"ushort", Type::uint16},  {"uint16", Type::uint16},   {"int", Type::int32},
        {"int32", Type::int32},    {"uint", Type::uint32},     {"uint32", Type::uint32},
        {"float", Type::float32},  {"float32", Type::float32}, {"double", Type::float64},
        {"float64", Type::float64}};
    for (const auto& [known, type] : names)
      if (name == known) return type;
    in_.fail(fmt::format("\"{}\" is no type of a property", shown(name)));
  }

  double value(Type type, const char* what) {
    if (text_) return in_.number(what);
    switch (type) {
      case Type::int8: return in_.value<std::int8_t>(what, swap_);
      case Type::uint8: return in_.value<std::uint8_t>(what, swap_);
      case Type::int16: return in_.value<std::int16_t>(what, swap_);
      case Type::uint16: return in_.value<std::uint16_t>(what, swap_);
      case Type::int32: return in_.value<std::int32_t>(what, swap_);
      case Type::uint32: return in_.value<std::uint32_t>(what, swap_);
      case Type::float32: return static_cast<double>(in_.value<float>(what, swap_));
      case Type::float64: return in_.value<double>(what, swap_);
    }
    return 0;
  }

  std::size_t length(const Property& property) {
    const double n = value(property.length, "the length of a list");
    if (!(n >= 0 && n <= 1e9) || n != static_cast<double>(static_cast<std::int64_t>(n)))
      in_.fail(fmt::format("a list of {} values", n));
    return in_.checked_count(static_cast<std::int64_t>(n), text_ ? 2 : size_of(property.type), "values of a list");
  }

  void skip(const Property& property) {
    const std::size_t n = property.is_list ? length(property) : 1;
    if (!text_) in_.bytes(n * size_of(property.type), "a property");
    else
      for (std::size_t i = 0; i < n; ++i)
        if (in_.word().empty()) in_.fail("the file ends within an element");
  }

  void vertices(const Element& element) {
    int axis_of[3] = {-1, -1, -1};
    for (std::size_t p = 0; p < element.properties.size(); ++p)
      for (int k = 0; k < 3; ++k)
        if (element.properties[p].name == std::string(1, static_cast<char>('x' + k)) &&
            !element.properties[p].is_list)
          axis_of[k] = static_cast<int>(p);
    for (const int a : axis_of)
      if (a < 0) in_.fail("vertices need the properties x, y and z");
    if (have_vertices_) in_.fail("a second element \"vertex\"");
    have_vertices_ = true;
    const std::size_t n = in_.checked_count(element.count, least_bytes(element), "vertices");
    build_.mesh.vertices.resize(3 * n);
    for (std::size_t i = 0; i < n; ++i)
      for (int p = 0; p < static_cast<int>(element.properties.size()); ++p) {
        const Property& property = element.properties[p];
        const int axis = p == axis_of[0] ? 0 : p == axis_of[1] ? 1 : p == axis_of[2] ? 2 : -1;
        if (axis < 0) {
          skip(property);
          continue;
        }
        const double x = value(property.type, "a coordinate");
        in_.check_finite(x, "a coordinate");
        build_.mesh.vertices[3 * i + static_cast<std::size_t>(axis)] = x;
      }
  }

  void faces(const Element& element) {
    if (!have_vertices_) in_.fail("faces come before the vertices");
    const std::size_t n = in_.checked_count(element.count, least_bytes(element), "faces");
    std::vector<int> ids;
    for (std::size_t i = 0; i < n; ++i)
      for (const Property& property : element.properties) {
        if (!property.is_list || (property.name != "vertex_indices" && property.name != "vertex_index")) {
          skip(property);
          continue;
        }
        const std::size_t corners = length(property);
        ids.clear();
        for (std::size_t k = 0; k < corners; ++k) {
          const double id = value(property.type, "a vertex of a face");
          ids.push_back(build_.vertex(id >= 0 && id < 2e9 ? static_cast<std::int64_t>(id) : -1, 0, i, "face"));
        }
        if (corners < 3) in_.fail(fmt::format("face {} has {} vertices: 3 are needed", i, corners));
        build_.add(face_type, ids);
      }
  }

  void edges(const Element& element) {
    if (!have_vertices_) in_.fail("edges come before the vertices");
    const std::size_t n = in_.checked_count(element.count, least_bytes(element), "edges");
    for (std::size_t i = 0; i < n; ++i) {
      int ids[2] = {0, 0};
      for (const Property& property : element.properties) {
        const int end = property.name == "vertex1" ? 0 : property.name == "vertex2" ? 1 : -1;
        if (end < 0 || property.is_list) {
          skip(property);
          continue;
        }
        const double id = value(property.type, "a vertex of an edge");
        ids[end] = build_.vertex(id >= 0 && id < 2e9 ? static_cast<std::int64_t>(id) : -1, 0, i, "edge");
      }
      if (build_.mesh.vertices.empty()) in_.fail(fmt::format("edge {} needs vertices: there are none", i));
      build_.add(edge_type, ids);
    }
  }

  void others(const Element& element) {
    if (element.properties.empty()) return;  // nothing in the file, however many are announced
    const std::size_t n = in_.checked_count(element.count, least_bytes(element), "elements");
    for (std::size_t i = 0; i < n; ++i)
      for (const Property& property : element.properties) skip(property);
  }

  std::size_t least_bytes(const Element& element) const {
    std::size_t sum = 0;
    for (const Property& p : element.properties) sum += text_ ? 2 : size_of(p.is_list ? p.length : p.type);
    return sum;
  }

  Cursor in_;
  MeshBuilder build_;
  bool text_ = true, swap_ = false, have_vertices_ = false;
  std::vector<Element> elements_;
};

MeshData read(const MeshSource& source, const ReadOptions& options) { return Reader(source, options).read(); }

MeshData written(const MeshData& data) {
  MeshData mesh = drawn(data);
  if (!mesh.triangles.empty()) mesh.edges.clear();  // readers such as meshio and gmsh refuse files with both
  return mesh;
}

std::string write(const MeshData& data, const WriteOptions& options) {
  const MeshData mesh = written(data);
  const bool text = options.variant == "ascii";
  std::string out = fmt::format("ply\nformat {} 1.0\nelement vertex {}\n", text ? "ascii" : "binary_little_endian",
                                mesh.vertex_count());
  out += "property double x\nproperty double y\nproperty double z\n";
  out += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", mesh.triangle_count());
  if (!mesh.edges.empty())
    out += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", mesh.edge_count());
  out += "end_header\n";
  if (text) {
    for (std::size_t i = 0; i < mesh.vertices.size(); i += 3)
      put_text(out, "{} {} {}\n", mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
      put_text(out, "3 {} {} {}\n", mesh.triangles[i], mesh.triangles[i + 1], mesh.triangles[i + 2]);
    for (std::size_t i = 0; i < mesh.edges.size(); i += 2)
      put_text(out, "{} {}\n", mesh.edges[i], mesh.edges[i + 1]);
    return out;
  }
  append_values<double>(out, mesh.vertices);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (i % 3 == 0) append_value(out, std::uint8_t{3});
    append_value(out, static_cast<std::int32_t>(mesh.triangles[i]));
  }
  for (const int id : mesh.edges) append_value(out, static_cast<std::int32_t>(id));
  return out;
}

}  // namespace

FormatPlugin format_ply() {
  return {
      .doc = "PLY surfaces and lines, text, little- and big-endian binary",
      .extension = ".ply",
      .recognises = [](std::string_view text) { return text.starts_with("ply\n") || text.starts_with("ply\r"); },
      .read = read,
      .write = write,
      .written = written,
      .variants = {"binary", "ascii"}};
}

}  // namespace resilin
