#include "scene/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "geometry/orient.h"
#include "geometry/selection.h"
#include "io/doctor.h"
#include "io/drawn.h"
#include "io/external_mesher.h"
#include "io/mesh_builder.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/watch.h"
#include "scene/format.h"

namespace resilin {
namespace {

namespace fs = std::filesystem;

fs::path existing_file(const Value& name, const std::string& folder) {
  const fs::path path = fs::path(folder) / name.text();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) name.fail(fmt::format("there is no file \"{}\"", path.string()));
  return path;
}

// The file's own place in messages stands after the place in the scene that named it.
MeshData read_data(const Value& name, const fs::path& path, const ReadOptions& options) {
  watch_begin("reading " + path.string());
  try {
    return read_mesh(path.string(), options);
  } catch (const InputError& problem) {
    name.fail(problem.what());
  }
}

SolidSource read_mesh_file(const Value& name, const std::string& folder, const ReadOptions& options) {
  const fs::path path = existing_file(name, folder);
  MeshData data = read_data(name, path, options);
  SolidSource out;
  try {
    out.mesh = to_tet_mesh(data, path.string());
  } catch (const InputError& problem) {
    name.fail(problem.what());
  }
  out.materials = std::move(data.materials);
  out.files = std::move(data.files);
  for (const std::string& note : data.notes) out.notes.push_back(path.string() + ": " + note);
  return out;
}

// Only the triangles and the vertices that they use, facing outward.
TriangleMesh read_surface(const Value& name, const fs::path& path, const ReadOptions& reading, SolidSource& out) {
  MeshData data = read_data(name, path, reading);
  out.files = std::move(data.files);
  for (const std::string& note : data.notes) out.notes.push_back(path.string() + ": " + note);
  if (!data.tets.empty())
    name.fail(fmt::format("\"{}\" holds {} tets already: write \"mesh\": \"{}\"", path.string(), data.tet_count(),
                          name.text()));
  if (data.triangles.empty())
    name.fail(fmt::format("\"{}\" holds {} vertices and no triangle: there is nothing to fill", path.string(),
                          data.vertex_count()));
  data.edges.clear(), data.edge_groups.clear();
  TriangleMesh surface = to_triangle_mesh(drawn(data));
  SurfaceParts parts;
  if (const int turned = orient_outward(surface, parts); turned > 0)
    out.notes.push_back(fmt::format("{}: {} of {} triangles faced inward and were turned around", path.string(),
                                    turned, surface.triangle_count()));
  return surface;
}

SurfaceFillOptions fill_options(const Settings& s, const Value& value) {
  SurfaceFillOptions options;
  if (s.has("cells") + s.has("spacing") + s.has("tets") > 1)
    value.fail("more than one of cells, spacing and tets is given: each of them says how fine the tets are");
  if (s.has("cells")) options.cells = s.integer("cells");
  if (s.has("spacing")) options.spacing = s.number("spacing");
  if (s.has("tets")) options.tets = s.integer("tets");
  options.thicken = s.number("thicken");
  return options;
}

constexpr double off_by = 2;  // times as many or as few tets as were asked for: this is said

std::string advice_on_count(double ratio, const std::string& mesher) {
  if (ratio < 1) return ": ask for more, or for a smaller spacing";
  return mesher == "stuffing"
             ? ": thin parts need fine tets"
             : ": it keeps every triangle of the surface. Leave \"mesher\" out, or give it a coarser surface";
}

SolidSource read_filled(const Value& value, const std::string& folder, const ReadOptions& reading) {
  const Settings s = read_object("surface_mesh", value);
  const Value& name = s.value("surface");
  const SurfaceFillOptions options = fill_options(s, value);
  const std::string mesher = s.text("mesher");
  const fs::path path = existing_file(name, folder);
  SolidSource out;
  out.surface = read_surface(name, path, reading, out);
  std::vector<std::string> notes;
  watch_begin("meshing " + path.string());
  try {
    if (mesher == "stuffing") {
      out.mesh = fill_surface(out.surface, options, &notes);
    } else {
      if (options.thicken > 0) s.value("thicken").fail("only the mesher \"stuffing\" can thicken a surface");
      out.mesh = run_external_mesher(mesher, out.surface, options);
    }
  } catch (const InputError& problem) {
    if (problem.where().starts_with(value.where())) throw;
    name.fail(fmt::format("\"{}\": {}", path.string(), problem.problem()));
  }
  const double ratio = static_cast<double>(out.mesh.tet_count()) / options.tets;
  if (!s.has("cells") && !s.has("spacing") && std::max(ratio, 1 / ratio) > off_by)
    notes.push_back(fmt::format("{} tets were asked for, and the mesher \"{}\" made {}{}", options.tets, mesher,
                                out.mesh.tet_count(), advice_on_count(ratio, mesher)));
  for (const std::string& note : notes) out.notes.push_back(path.string() + ": " + note);
  return out;
}

std::vector<double> read_vertices(const Value& list) {
  std::vector<double> out;
  for (const Value& v : list.list()) {
    const Vec3 x = v.vector3();
    out.insert(out.end(), x.begin(), x.end());
  }
  return out;
}

std::vector<int> read_rows(const Value& list, std::size_t width, const char* what) {
  std::vector<int> out;
  for (const Value& row : list.list()) {
    const std::vector<int> ids = row.integers();
    if (ids.size() != width)
      row.fail(fmt::format("{} stands where {} ids of a {} are wanted", row.dump(), width, what));
    out.insert(out.end(), ids.begin(), ids.end());
  }
  return out;
}

Groups read_groups(const Settings& s, const char* key, int count) {
  Groups groups;
  if (!s.has(key)) return groups;
  for (const auto& [name, ids] : s.value(key).object())
    groups[name] = select_indices(count, ids.integers(), ids.where());
  return groups;
}

TetMesh read_inline(const Value& value) {
  const Settings s = read_object("mesh", value);
  TetMesh mesh;
  mesh.vertices = read_vertices(s.value("vertices"));
  mesh.tets = read_rows(s.value("tets"), 4, "tet");
  if (mesh.tets.empty()) s.value("tets").fail("the list is empty: a solid needs a tet");
  mesh.vertex_groups = read_groups(s, "vertex_groups", mesh.vertex_count());
  mesh.element_groups = read_groups(s, "element_groups", mesh.tet_count());
  return mesh;
}

MeshData read_inline_sheet(const Value& value) {
  const Settings s = read_object("shell", value);
  MeshData mesh;
  mesh.vertices = read_vertices(s.value("vertices"));
  mesh.triangles = read_rows(s.value("triangles"), 3, "triangle");
  if (mesh.triangles.empty()) s.value("triangles").fail("the list is empty: a shell needs a triangle");
  const int n = mesh.vertex_count();
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (mesh.triangles[i] < 0 || mesh.triangles[i] >= n)
      s.value("triangles")
          .list()[i / 3]
          .fail(fmt::format("triangle {} names vertex {}, but there are {}", i / 3, mesh.triangles[i], n));
  mesh.vertex_groups = read_groups(s, "vertex_groups", n);
  mesh.triangle_groups = read_groups(s, "element_groups", mesh.triangle_count());
  return mesh;
}

// The triangles of a file with the vertices that they use.
MeshData read_triangles(const Value& name, const fs::path& path, const ReadOptions& reading) {
  MeshData data = read_data(name, path, reading);
  if (!data.tets.empty())
    name.fail(fmt::format("\"{}\" holds {} tets: a shell is made of triangles; write \"mesh\" for a solid",
                          path.string(), data.tet_count()));
  if (data.triangles.empty())
    name.fail(fmt::format("\"{}\" holds {} vertices and no triangle", path.string(), data.vertex_count()));
  return data;
}

// Two values [x, y] that are whole when `whole`.
std::array<double, 2> read_pair(const Settings& s, const char* key, bool whole) {
  const std::vector<double> v = s.numbers(key);
  if (v.size() != 2)
    s.value(key).fail(fmt::format("{} stands where two numbers [x, y] are wanted", s.value(key).dump()));
  if (whole)
    for (const Value& item : s.value(key).list()) item.integer();
  return {v[0], v[1]};
}

Springs read_cloth(const Value& value) {
  const Settings s = read_object("cloth", value);
  const auto size = read_pair(s, "size", false), cells = read_pair(s, "cells", true);
  ClothNet cloth;
  cloth.grid.size_x = size[0], cloth.grid.size_y = size[1];
  cloth.grid.nx = static_cast<int>(cells[0]) + 1, cloth.grid.ny = static_cast<int>(cells[1]) + 1;
  cloth.stretch = s.number("stretch"), cloth.shear = s.number("shear"), cloth.bend = s.number("bend");
  cloth.density = s.number("density");
  return cloth_springs(cloth);
}

std::vector<double> one_each(const Settings& s, const char* key, int count, const char* what) {
  if (s.value(key).is_list() && static_cast<int>(s.value(key).list().size()) != count)
    s.value(key).fail(fmt::format("a list of {} values for {} {}", s.value(key).list().size(), count, what));
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(s.number(key, i));
  return out;
}

EdgeMesh read_inline_net(const Settings& s, const Value& value) {
  if (!s.has("edges")) value.fail("\"edges\" is missing");
  EdgeMesh mesh;
  mesh.vertices = read_vertices(s.value("vertices"));
  mesh.edges = read_rows(s.value("edges"), 2, "spring");
  const int n = mesh.vertex_count();
  if (n == 0) s.value("vertices").fail("the list is empty: a body needs vertices");
  for (std::size_t i = 0; i < mesh.edges.size(); i += 2) {
    const int a = mesh.edges[i], b = mesh.edges[i + 1];
    if (std::min(a, b) < 0 || std::max(a, b) >= n || a == b)
      s.value("edges").list()[i / 2].fail(
          fmt::format("spring {} joins {} and {}: two different ids in 0..{} are wanted", i / 2, a, b, n - 1));
  }
  mesh.vertex_groups = read_groups(s, "vertex_groups", n);
  return mesh;
}

// The edges of a file with the vertices that they use. Its other elements have no place in a net.
EdgeMesh read_edges(const Settings& s, const std::string& folder, const ReadOptions& reading, NetSource& out) {
  for (const char* key : {"edges", "vertex_groups"})
    if (s.has(key)) s.value(key).fail("has no effect: the file of \"mesh\" states it");
  const Value& name = s.value("mesh");
  const fs::path path = existing_file(name, folder);
  MeshData data = read_data(name, path, reading);
  if (data.edges.empty())
    name.fail(fmt::format("\"{}\" holds {} vertices, {} triangles and {} tets, and no edge", path.string(),
                          data.vertex_count(), data.triangle_count(), data.tet_count()));
  for (std::size_t i = 0; i < data.edges.size(); i += 2)
    if (data.edges[i] == data.edges[i + 1])
      name.fail(fmt::format("\"{}\": edge {} joins vertex {} with itself", path.string(), i / 2, data.edges[i]));
  out.files = data.files;
  for (const std::string& note : data.notes) out.notes.push_back(path.string() + ": " + note);
  if (!data.triangles.empty() || !data.tets.empty())
    out.notes.push_back(fmt::format("{}: {} triangles and {} tets are left out: springs are its edges",
                                    path.string(), data.triangle_count(), data.tet_count()));
  data.tets.clear(), data.triangles.clear(), data.tet_groups.clear(), data.triangle_groups.clear();
  data.tet_fields.clear();
  keep_vertices(data, used_vertices(data));
  return {std::move(data.vertices), std::move(data.edges), std::move(data.edge_groups),
          std::move(data.vertex_groups)};
}

Springs read_net(const Value& value, const std::string& folder, const ReadOptions& reading, NetSource& out) {
  const Settings s = read_object("springs", value);
  Springs net;
  net.mesh = s.has("mesh") ? read_edges(s, folder, reading, out) : read_inline_net(s, value);
  net.stiffness = one_each(s, "stiffness", net.mesh.edge_count(), "springs");
  net.mass = one_each(s, "mass", net.mesh.vertex_count(), "vertices");
  return net;
}

}  // namespace

SolidSource read_solid(const Settings& body, const std::string& folder) {
  if (body.has("shape")) {
    const PluginChoice shape = read_plugin("shape", body.value("shape"));
    watch_begin("meshing a " + shape.type);
    return {find_plugin<ShapePlugin>(shape.type)->plugin.make(shape.settings), {}, {}, {}, {}};
  }
  const Value& mesh = body.value("mesh");
  const ReadOptions reading{body.boolean("linearise")};
  if (mesh.is_text()) return read_mesh_file(mesh, folder, reading);
  if (mesh.find("surface") != nullptr) return read_filled(mesh, folder, reading);
  return {read_inline(mesh), {}, {}, {}, {}};
}

SheetSource read_sheet(const Settings& body, const std::string& folder) {
  const Value& shell = body.value("shell");
  if (shell.is_object() && shell.find("type") != nullptr) {
    const PluginChoice sheet = read_plugin("sheet", shell);
    watch_begin("meshing a " + sheet.type);
    return {find_plugin<SheetPlugin>(sheet.type)->plugin.make(sheet.settings), {}, {}};
  }
  SheetSource out;
  MeshData data = shell.is_text() ? read_triangles(shell, existing_file(shell, folder), {body.boolean("linearise")})
                                  : read_inline_sheet(shell);
  out.files = data.files;
  const std::string where = shell.is_text() ? shell.text() : shell.where();
  for (const std::string& note : data.notes) out.notes.push_back(where + ": " + note);
  if (body.boolean("repair"))
    for (const RepairStep& step : repair(data, true)) out.notes.push_back(where + ": " + step.text);
  out.mesh = to_triangle_mesh(data);
  return out;
}

std::vector<double> read_positions(const Value& name, const std::string& folder, std::span<const int> elements,
                                   int corners) {
  std::vector<double> vertices;
  std::vector<int> found;
  if (corners == 4) {
    TetMesh mesh = read_mesh_file(name, folder, {}).mesh;
    vertices = std::move(mesh.vertices), found = std::move(mesh.tets);
  } else {
    MeshData data = read_triangles(name, existing_file(name, folder), {});
    vertices = std::move(data.vertices), found = std::move(data.triangles);
  }
  const char* what = corners == 4 ? "tet" : "triangle";
  const auto width = static_cast<std::size_t>(corners);
  if (found.size() != elements.size())
    name.fail(fmt::format("\"{}\" holds {} {}s, but the body has {}", name.text(), found.size() / width, what,
                          elements.size() / width));
  const auto same_vertices = [&](std::size_t first) {
    std::array<int, 4> a{}, b{};
    std::copy_n(elements.begin() + static_cast<std::ptrdiff_t>(first), corners, a.begin());
    std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(first), corners, b.begin());
    return std::is_permutation(a.begin(), a.end(), b.begin());
  };
  for (std::size_t i = 0; i < found.size(); i += width)
    if (!same_vertices(i))
      name.fail(
          fmt::format("{} {} of \"{}\" joins other vertices than that of the body: another shape of a body has the "
                      "same elements in the same order",
                      what, i / width, name.text()));
  return vertices;
}

NetSource read_springs(const Settings& body, const std::string& folder) {
  NetSource out;
  out.springs = body.has("cloth") ? read_cloth(body.value("cloth"))
                                  : read_net(body.value("springs"), folder, {body.boolean("linearise")}, out);
  return out;
}

TriangleMesh read_closed_surface(const Value& name, const std::string& folder) {
  const fs::path path = existing_file(name, folder);
  MeshData data = read_data(name, path, {});
  if (!data.tets.empty()) return surface(to_tet_mesh(data, path.string()));
  if (data.triangles.empty())
    name.fail(fmt::format("\"{}\" holds {} vertices and no triangle", path.string(), data.vertex_count()));
  data.edges.clear(), data.edge_groups.clear();
  TriangleMesh out = to_triangle_mesh(drawn(data));
  SurfaceParts parts;
  orient_outward(out, parts);
  return out;
}

}  // namespace resilin
