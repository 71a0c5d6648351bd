#include "render/frame_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "resilin/errors.h"
#include "resilin/io.h"

namespace resilin {
namespace {

/// One DataArray: its numbers as doubles, whatever their type was.
struct Array {
  std::string name;
  std::size_t components = 1;
  std::vector<double> values;
};

std::optional<std::string_view> attribute(std::string_view tag, const std::string& key) {
  const std::string head = " " + key + "=\"";
  const std::size_t at = tag.find(head);
  if (at == std::string_view::npos) return {};
  const std::size_t first = at + head.size(), last = tag.find('"', first);
  if (last == std::string_view::npos) return {};
  return tag.substr(first, last - first);
}

int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Reads one file; remembers its name for messages.
class VtuReader {
 public:
  VtuReader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  [[noreturn]] void fail(const std::string& problem) const { throw InputError(where_, problem); }

  /// The text between <name ...> and </name>.
  std::string_view element(const std::string& name) const {
    const std::size_t open = text_.find("<" + name), first = text_.find('>', open),
                      last = text_.find("</" + name + ">", first);
    if (open == std::string_view::npos || first == std::string_view::npos || last == std::string_view::npos)
      fail(fmt::format("is no frame of a run: it has no element {}", name));
    return text_.substr(first + 1, last - first - 1);
  }

  std::vector<Array> arrays(const std::string& parent) const {
    std::vector<Array> out;
    std::string_view rest = element(parent);
    for (std::size_t at; (at = rest.find("<DataArray")) != std::string_view::npos;) {
      const std::size_t first = rest.find('>', at), last = rest.find("</DataArray>", at);
      if (first == std::string_view::npos || last == std::string_view::npos || last < first)
        fail("a DataArray does not end");
      out.push_back(array(rest.substr(at, first - at), rest.substr(first + 1, last - first - 1)));
      rest.remove_prefix(last);
    }
    return out;
  }

 private:
  Array array(std::string_view tag, std::string_view content) const {
    Array out;
    out.name = std::string(attribute(tag, "Name").value_or(""));
    const std::string_view count = attribute(tag, "NumberOfComponents").value_or("1");
    const auto parsed = std::from_chars(count.data(), count.data() + count.size(), out.components);
    if (parsed.ec != std::errc() || out.components < 1 || out.components > 100)
      fail(fmt::format("array {}: bad number of components", out.name));
    if (attribute(tag, "format").value_or("") != "binary")
      fail(fmt::format("array {}: only arrays in base64 are understood", out.name));
    const std::string bytes = decode(content);
    std::uint64_t size = 0;
    if (bytes.size() >= 8) std::memcpy(&size, bytes.data(), 8);
    if (bytes.size() < 8 || size != bytes.size() - 8) fail(fmt::format("array {}: its size is wrong", out.name));
    const std::string_view type = attribute(tag, "type").value_or(""), data = std::string_view(bytes).substr(8);
    if (type == "Float64") out.values = numbers<double>(data);
    else if (type == "Float32") out.values = numbers<float>(data);
    else if (type == "Int32") out.values = numbers<std::int32_t>(data);
    else if (type == "Int64") out.values = numbers<std::int64_t>(data);
    else if (type == "UInt8") out.values = numbers<std::uint8_t>(data);
    else fail(fmt::format("array {}: type {} is not understood", out.name, type));
    return out;
  }

  template <class T>
  static std::vector<double> numbers(std::string_view data) {
    std::vector<double> out(data.size() / sizeof(T));
    for (std::size_t i = 0; i < out.size(); ++i) {
      T value;
      std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
      out[i] = static_cast<double>(value);
    }
    return out;
  }

  std::string decode(std::string_view content) const {
    std::string out;
    out.reserve(content.size() / 4 * 3);
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : content) {
      if (c == '\n' || c == ' ' || c == '\r' || c == '\t') continue;
      if (c == '=') break;
      const int digit = digit_of(c);
      if (digit < 0) fail("holds a character that is not base64");
      held = held << 6 | static_cast<std::uint32_t>(digit);
      if ((bits += 6) < 8) continue;
      bits -= 8;
      out += static_cast<char>(held >> bits & 255);
    }
    return out;
  }

  std::string_view text_;
  const std::string& where_;
};

struct Cells {
  std::vector<std::vector<int>> vertices;  // per cell
  std::vector<int> type, body;
};

const Array& named(const VtuReader& file, const std::vector<Array>& arrays, const std::string& name) {
  for (const Array& a : arrays)
    if (a.name == name) return a;
  file.fail(fmt::format("has no array {}", name));
}

Cells read_cells(const VtuReader& file, std::size_t vertex_count) {
  const std::vector<Array> arrays = file.arrays("Cells"), data = file.arrays("CellData");
  const auto &ids = named(file, arrays, "connectivity").values, &ends = named(file, arrays, "offsets").values;
  const auto &types = named(file, arrays, "types").values, &bodies = named(file, data, "body").values;
  if (types.size() != ends.size() || bodies.size() != ends.size())
    file.fail("the arrays of its cells differ in size");
  Cells cells;
  std::size_t at = 0;
  for (std::size_t c = 0; c < ends.size(); ++c) {
    if (!(ends[c] >= static_cast<double>(at) && ends[c] <= static_cast<double>(ids.size())))
      file.fail(fmt::format("cell {}: bad offset", c));
    if (!(bodies[c] >= 0 && bodies[c] < 1e6)) file.fail(fmt::format("cell {}: bad body", c));
    std::vector<int>& vertices = cells.vertices.emplace_back();
    for (; at < static_cast<std::size_t>(ends[c]); ++at) {
      if (!(ids[at] >= 0 && ids[at] < static_cast<double>(vertex_count)))
        file.fail(fmt::format("cell {}: vertex out of range", c));
      vertices.push_back(static_cast<int>(ids[at]));
    }
    constexpr std::array<std::size_t, 11> corners = {0, 1, 0, 2, 0, 3, 0, 0, 0, 0, 4};
    const auto type = static_cast<std::size_t>(types[c] >= 0 && types[c] < 11 ? types[c] : 0);
    if (corners[type] == 0 || vertices.size() != corners[type])
      file.fail(fmt::format("cell {}: type {} is not understood", c, types[c]));
    cells.type.push_back(static_cast<int>(type)), cells.body.push_back(static_cast<int>(bodies[c]));
  }
  return cells;
}

void add_bodies(Model& model, const Cells& cells) {
  for (std::size_t c = 0; c < cells.type.size(); ++c) {
    const auto b = static_cast<std::size_t>(cells.body[c]);
    if (model.bodies.size() <= b) model.bodies.resize(b + 1);
    Body& body = model.bodies[b];
    const std::vector<int>& v = cells.vertices[c];
    auto& list = cells.type[c] == 10 ? body.tets : cells.type[c] == 5 ? body.triangles : body.edges;
    if (cells.type[c] != 1) list.insert(list.end(), v.begin(), v.end());
    const int low = *std::min_element(v.begin(), v.end()), high = *std::max_element(v.begin(), v.end());
    const int end = body.vertex_count == 0 ? high + 1 : std::max(body.first_vertex + body.vertex_count, high + 1);
    body.first_vertex = body.vertex_count == 0 ? low : std::min(body.first_vertex, low);
    body.vertex_count = end - body.first_vertex;
  }
  for (Body& body : model.bodies) {
    if (body.tets.empty() || !body.triangles.empty()) continue;  // triangles: an embedded surface
    TetMesh mesh;
    mesh.vertices = model.rest;
    mesh.tets = body.tets;
    body.triangles = boundary_triangles(mesh);
  }
}

std::vector<double> magnitudes(const Array& array) {
  std::vector<double> out(array.values.size() / array.components, 0.0);
  if (array.components == 1) return array.values;
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < array.components; ++k)
      sum += array.values[i * array.components + k] * array.values[i * array.components + k];
    out[i] = std::sqrt(sum);
  }
  return out;
}

// Means over the cells around each vertex.
std::vector<double> at_vertices(const std::vector<double>& per_cell, const Cells& cells, std::size_t vertices) {
  std::vector<double> sum(vertices, 0.0), count(vertices, 0.0);
  for (std::size_t c = 0; c < per_cell.size(); ++c)
    for (const int v : cells.vertices[c])
      sum[static_cast<std::size_t>(v)] += per_cell[c], count[static_cast<std::size_t>(v)] += 1;
  for (std::size_t v = 0; v < vertices; ++v) sum[v] /= std::max(1.0, count[v]);
  return sum;
}

}  // namespace

FrameFile read_frame_file(const std::string& path) {
  const std::string text = read_file(path);
  const VtuReader file(text, path);
  FrameFile out;
  out.q = named(file, file.arrays("Points"), "Points").values;
  if (out.q.size() % 3 != 0) file.fail("its points are not in triples");
  const std::size_t vertices = out.q.size() / 3;
  out.model.rest = out.q;
  out.model.mass.assign(vertices, 1.0);
  const Cells cells = read_cells(file, vertices);
  add_bodies(out.model, cells);
  for (const Array& array : file.arrays("PointData"))
    if (array.values.size() == vertices * array.components) out.fields[array.name] = magnitudes(array);
  for (const Array& array : file.arrays("CellData"))
    if (array.values.size() == cells.type.size() * array.components && out.fields.count(array.name) == 0)
      out.fields[array.name] = at_vertices(magnitudes(array), cells, vertices);
  const std::string_view time = file.element("FieldData");
  const std::size_t at = time.find('>');
  if (at != std::string_view::npos)
    (void)std::from_chars(time.data() + at + 1, time.data() + time.size(), out.time);
  return out;
}

}  // namespace resilin
