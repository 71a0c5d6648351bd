#include "render/frame_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "io/vtu_read.h"
#include "resilin/errors.h"
#include "resilin/io.h"

namespace resilin {
namespace {

namespace fs = std::filesystem;

/// The arrays of one file; remembers its name for messages.
class FrameArrays {
 public:
  explicit FrameArrays(const std::string& path) : where_(path) {
    const std::string text = read_file(path);
    file_ = read_vtu_arrays({path, text});
  }
  [[noreturn]] void fail(const std::string& problem) const { throw InputError(where_, problem); }

  const VtuArray& named(const std::string& section, const std::string& name) const {
    for (const VtuArray& a : file_.arrays)
      if (a.section == section && a.name == name) return a;
    fail(fmt::format("is no frame of a run: it has no array {} in {}", name, section));
  }
  const std::vector<VtuArray>& all() const { return file_.arrays; }
  double time() const { return file_.time; }

 private:
  const std::string& where_;
  VtuArrays file_;
};

struct Cells {
  std::vector<std::vector<int>> vertices;  // per cell
  std::vector<int> type, body;
};

Cells read_cells(const FrameArrays& file, std::size_t vertex_count) {
  const auto &ids = file.named("Cells", "connectivity").values, &ends = file.named("Cells", "offsets").values;
  const auto &types = file.named("Cells", "types").values, &bodies = file.named("CellData", "body").values;
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

std::vector<double> magnitudes(const VtuArray& array) {
  const auto components = static_cast<std::size_t>(array.components);
  std::vector<double> out(array.values.size() / components, 0.0);
  if (array.components == 1) return array.values;
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < components; ++k)
      sum += array.values[i * components + k] * array.values[i * components + k];
    out[i] = std::sqrt(sum);
  }
  return out;
}

// Means over the cells around each vertex.
std::vector<double> at_vertices(const std::vector<double>& per_cell, const Cells& cells, std::size_t vertices) {
  std::vector<double> sum(vertices, 0.0), count(vertices, 0.0);
  for (std::size_t c = 0; c < per_cell.size(); ++c)
    for (const int v : cells.vertices[c]) sum[v] += per_cell[c], count[v] += 1;
  for (std::size_t v = 0; v < vertices; ++v) sum[v] /= std::max(1.0, count[v]);
  return sum;
}

}  // namespace

std::vector<FrameName> frame_names(const std::string& folder) {
  std::vector<FrameName> files;
  std::error_code error;
  for (fs::directory_iterator i(fs::path(folder) / "frames", error), end; !error && i != end; i.increment(error)) {
    const std::string stem = i->path().stem().string();
    const std::size_t bar = stem.rfind('_');
    if (i->path().extension() != ".vtu" || bar == std::string::npos) continue;
    int number = 0;
    const auto parsed = std::from_chars(stem.data() + bar + 1, stem.data() + stem.size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == stem.data() + stem.size())
      files.push_back({number, i->path().string()});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  if (files.empty())
    throw InputError(
        folder,
        "holds no frames/NAME_00000.vtu to draw: is it the folder of a run whose output.formats include \"vtu\"?");
  return files;
}

FrameFile read_frame_file(const std::string& path) {
  const FrameArrays file(path);
  FrameFile out;
  out.q = file.named("Points", "Points").values;
  if (out.q.size() % 3 != 0) file.fail("its points are not in triples");
  const std::size_t vertices = out.q.size() / 3;
  out.model.rest = out.q;
  out.model.mass.assign(vertices, 1.0);
  const Cells cells = read_cells(file, vertices);
  add_bodies(out.model, cells);
  const auto fits = [&](const VtuArray& array, const char* section, std::size_t count) {
    return array.section == section && array.values.size() == count * static_cast<std::size_t>(array.components);
  };
  for (const VtuArray& array : file.all())
    if (fits(array, "PointData", vertices)) out.fields[array.name] = magnitudes(array);
  for (const VtuArray& array : file.all())
    if (fits(array, "CellData", cells.type.size()) && out.fields.count(array.name) == 0)
      out.fields[array.name] = at_vertices(magnitudes(array), cells, vertices);
  if (std::isfinite(file.time())) out.time = file.time();
  return out;
}

}  // namespace resilin
