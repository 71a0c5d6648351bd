// Which format a file is of, and the ways between MeshData and the other kinds of meshes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "io/base64.h"
#include "io/cursor.h"
#include "io/mesh_builder.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

namespace fs = std::filesystem;

std::string ending(const std::string& path) {
  std::string name = lower_case(fs::path(path).filename().string());
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return fs::path(name).extension().string();
}

bool has_extension(const FormatPlugin& format, const std::string& extension) {
  return extension == format.extension || std::find(format.more_extensions.begin(), format.more_extensions.end(),
                                                    extension) != format.more_extensions.end();
}

std::string readable_formats() {
  std::vector<std::string> names;
  for (const auto& [name, format] : registry<FormatPlugin>())
    if (format.read) names.push_back(format.extension);
  return join_or(names);
}

// Content beats extension: a .vtk that is XML, a .mesh that is a .msh.
const FormatPlugin& reader_of(const MeshSource& source) {
  const auto& all = registry<FormatPlugin>();
  for (const auto& [name, format] : all)
    if (format.read && format.recognises && format.recognises(source.contents)) return format;
  const std::string extension = ending(source.name);
  for (const auto& [name, format] : all)
    if (format.read && has_extension(format, extension)) return format;
  for (const auto& [name, format] : all)
    if (has_extension(format, extension))
      throw InputError(source.name, fmt::format("{} files are written but not read; meshes are read from {}",
                                                extension, readable_formats()));
  throw InputError(source.name, fmt::format("neither its content nor its name tells a mesh format; known are {}",
                                            readable_formats()));
}

std::string unzipped(std::string contents, const std::string& name) {
  if (!is_gzip(contents)) return contents;
  if (!has_zlib()) throw InputError(name, "is gzipped, but this program was built without zlib");
  std::optional<std::string> out = gunzip(contents, unpacked_limit(contents.size()));
  if (!out) throw InputError(name, "the gzip data is damaged, cut off or unpacks to far more than a mesh would");
  return std::move(*out);
}

// Only files beside it: a mesh from elsewhere must not open what it likes.
std::optional<std::string> companion_of(const fs::path& path, const std::string& file,
                                        std::vector<std::string>& files) {
  if (file.empty() || file.find('/') != std::string::npos || file.find('\\') != std::string::npos ||
      file.starts_with('.'))
    return std::nullopt;
  for (const char* suffix : {"", ".gz"}) {
    const std::string found = (path.parent_path() / (file + suffix)).string();
    std::error_code error;
    if (!fs::is_regular_file(found, error)) continue;
    files.push_back(found);
    return unzipped(read_file(found), found);
  }
  return std::nullopt;
}

double six_volumes(const MeshData& mesh, std::size_t tet) {
  const auto edge = [&](std::size_t k, std::size_t axis) {
    const auto at = [&](std::size_t c) { return mesh.vertices[3 * mesh.tets[4 * tet + c] + axis]; };
    return at(k) - at(0);
  };
  return edge(1, 0) * (edge(2, 1) * edge(3, 2) - edge(2, 2) * edge(3, 1)) -
         edge(1, 1) * (edge(2, 0) * edge(3, 2) - edge(2, 2) * edge(3, 0)) +
         edge(1, 2) * (edge(2, 0) * edge(3, 1) - edge(2, 1) * edge(3, 0));
}

// Some programs count the corners of tets the other way round: that is a convention, single negative tets are a
// defect.
void adopt_orientation(MeshData& mesh) {
  for (std::size_t t = 0; t < mesh.tets.size() / 4; ++t)
    if (!(six_volumes(mesh, t) < 0)) return;
  if (mesh.tets.empty()) return;
  for (std::size_t t = 0; t < mesh.tets.size(); t += 4) std::swap(mesh.tets[t + 2], mesh.tets[t + 3]);
  mesh.notes.push_back(fmt::format("all {} tets were negative and have been turned around", mesh.tet_count()));
}

// Groups of triangles and edges are how finite-element tools mark what is held or pulled (physical surfaces,
// facets): their vertices become groups of vertices, and the tets that have them groups of tets, under the same
// names. Groups that the file has itself come first.
void add_marked(const MeshData& data, MeshData& solid) {
  std::vector<std::vector<int>> tets_of(static_cast<std::size_t>(data.vertex_count()));
  for (std::size_t i = 0; i < data.tets.size(); ++i) tets_of[data.tets[i]].push_back(static_cast<int>(i / 4));
  const auto add = [&](const std::vector<int>& list, std::size_t corners, const Groups& groups) {
    for (const auto& [name, ids] : groups) {
      std::set<int> vertices, tets;
      for (const int id : ids) {
        const auto corner = [&](std::size_t k) { return list[corners * static_cast<std::size_t>(id) + k]; };
        std::vector<int> common = tets_of[corner(0)];
        for (std::size_t k = 1; k < corners; ++k)
          std::erase_if(common, [&](int t) {
            const std::vector<int>& others = tets_of[corner(k)];
            return !std::binary_search(others.begin(), others.end(), t);
          });
        tets.insert(common.begin(), common.end());
        for (std::size_t k = 0; k < corners; ++k)
          if (!tets_of[corner(k)].empty()) vertices.insert(corner(k));
      }
      if (!vertices.empty() && !data.vertex_groups.contains(name))
        solid.vertex_groups[name].assign(vertices.begin(), vertices.end());
      if (!tets.empty() && !data.tet_groups.contains(name)) solid.tet_groups[name].assign(tets.begin(), tets.end());
    }
  };
  add(data.edges, 2, data.edge_groups);
  add(data.triangles, 3, data.triangle_groups);
}

}  // namespace

MeshData read_mesh(const MeshSource& source, const ReadOptions& options) {
  if (is_gzip(source.contents)) {
    const std::string contents = unzipped(std::string(source.contents), source.name);
    MeshSource inner = source;
    inner.contents = contents;
    if (is_gzip(contents)) throw InputError(source.name, "is gzipped more than once");
    return read_mesh(inner, options);
  }
  if (source.contents.empty()) throw InputError(source.name, "is empty");
  MeshData mesh = reader_of(source).read(source, options);
  adopt_orientation(mesh);
  return mesh;
}

MeshData read_mesh(const std::string& path, const ReadOptions& options) {
  const std::string contents = unzipped(read_file(path), path);
  std::vector<std::string> files{path};
  MeshData mesh = read_mesh(
      {path, contents, [&](const std::string& file) { return companion_of(path, file, files); }}, options);
  mesh.files = std::move(files);
  return mesh;
}

std::string format_of_path(const std::string& path) {
  for (const auto& [name, format] : registry<FormatPlugin>())
    if (has_extension(format, ending(path))) return name;
  return "";
}

std::string write_mesh(const std::string& path, const MeshData& mesh, const WriteOptions& options) {
  const std::string name = format_of_path(path);
  std::vector<std::string> known;
  for (const auto& entry : registry<FormatPlugin>())
    if (entry.plugin.write) known.push_back(entry.plugin.extension);
  if (name.empty()) throw InputError(path, fmt::format("its name tells no format; known are {}", join_or(known)));
  const FormatPlugin& format = find_plugin<FormatPlugin>(name)->plugin;
  if (!format.write)
    throw InputError(path, fmt::format("{} is not written; known are {}", format.extension, join_or(known)));
  if (!options.variant.empty() &&
      std::find(format.variants.begin(), format.variants.end(), options.variant) == format.variants.end())
    throw InputError(path, fmt::format("{} has no variant \"{}\"{}", format.extension, options.variant,
                                       format.variants.empty() ? "" : "; there are " + join_or(format.variants)));
  if (!lower_case(path).ends_with(".gz")) return format.write(mesh, options);
  if (!has_zlib()) throw InputError(path, "gzip needs zlib, which this program was built without");
  return gzip(format.write(mesh, options));
}

bool can_write_frames(const FormatPlugin& format) {
  return format.write_frame || (format.write && !format.write_sequence);
}

std::string frame_contents(const FormatPlugin& format, const Frame& frame) {
  if (format.write_frame) return format.write_frame(frame);
  MeshData mesh = to_mesh_data(*frame.model);
  mesh.vertices = with_embedded(*frame.model, *frame.positions);
  mesh.time = frame.time;
  mesh.vertex_fields = {{"velocity", 3, with_embedded(*frame.model, *frame.velocities)}};
  if (frame.element_fields != nullptr) mesh.tet_fields = *frame.element_fields;
  for (NamedField& field : mesh.tet_fields)  // the fields of shells follow
    field.values.resize(static_cast<std::size_t>(field.components) * static_cast<std::size_t>(mesh.tet_count()));
  return format.write(mesh, {});
}

TetMesh to_tet_mesh(const MeshData& data, const std::string& where) {
  if (data.tets.empty())
    throw InputError(
        where, data.triangles.empty()
                   ? fmt::format("holds {} vertices and no tet: a solid needs tets", data.vertex_count())
                   : fmt::format("is a surface of {} triangles and holds no tet; a solid needs tets: "
                                 "{{\"surface\": \"FILE\"}} as the mesh fills it, as do tetgen, gmsh and ftetwild",
                                 data.triangle_count()));
  // Vertices of a surface that is embedded in the tets are none of the solid's.
  std::vector<char> keep(static_cast<std::size_t>(data.vertex_count()), 1);
  for (const std::vector<int>* list : {&data.triangles, &data.edges})
    for (const int v : *list) keep[v] = 0;
  for (const int v : data.tets) keep[v] = 1;
  MeshData solid = data;
  add_marked(data, solid);
  solid.triangles.clear(), solid.edges.clear();
  if (std::find(keep.begin(), keep.end(), char{0}) != keep.end()) keep_vertices(solid, keep);
  return {std::move(solid.vertices), std::move(solid.tets), std::move(solid.tet_groups),
          std::move(solid.vertex_groups)};
}

TriangleMesh to_triangle_mesh(const MeshData& data) {
  if (!data.triangles.empty() || data.tets.empty())
    return {data.vertices, data.triangles, data.triangle_groups, data.vertex_groups};
  const TetMesh solid{data.vertices, data.tets, {}, {}};
  return {data.vertices, boundary_triangles(solid), {}, data.vertex_groups};
}

MeshData to_mesh_data(const TetMesh& mesh) {
  MeshData out;
  out.vertices = mesh.vertices, out.tets = mesh.tets;
  out.tet_groups = mesh.element_groups, out.vertex_groups = mesh.vertex_groups;
  return out;
}

MeshData to_mesh_data(const TriangleMesh& mesh) {
  MeshData out;
  out.vertices = mesh.vertices, out.triangles = mesh.triangles;
  out.triangle_groups = mesh.element_groups, out.vertex_groups = mesh.vertex_groups;
  return out;
}

MeshData to_mesh_data(const Model& model) {
  const Model shown = with_embedded(model);
  MeshData out;
  out.vertices = shown.rest;
  for (const Body& body : shown.bodies) {
    const auto add = [&](const std::vector<int>& from, std::size_t corners, std::vector<int>& to, Groups& groups) {
      if (from.empty()) return;
      std::vector<int>& ids = groups[body.name];
      for (std::size_t i = 0; i < from.size() / corners; ++i)
        ids.push_back(static_cast<int>(to.size() / corners + i));
      to.insert(to.end(), from.begin(), from.end());
    };
    add(body.tets, 4, out.tets, out.tet_groups);
    add(body.triangles, 3, out.triangles, out.triangle_groups);
    add(body.edges, 2, out.edges, out.edge_groups);
  }
  return out;
}

}  // namespace resilin
