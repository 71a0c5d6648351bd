// resilin convert IN OUT: any mesh format to any other, and the frames of a run to one file of an animation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "command.h"
#include "document.h"
#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/registry.h"
#include "resilin/scene.h"

namespace resilin::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
  std::string from, to, variant;
  std::vector<std::string> groups;
  bool linearise = false;
};

/// Only the elements of the named groups.
MeshData only_groups(const MeshData& mesh, const std::vector<std::string>& names, const std::string& where) {
  std::vector<std::string> known;
  for (const Groups* groups : {&mesh.tet_groups, &mesh.triangle_groups, &mesh.edge_groups})
    for (const auto& [name, ids] : *groups) known.push_back(name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(where, fmt::format("there is no group \"{}\"; {}", name,
                                          known.empty() ? "it has none" : "groups: " + join_or(known)));
  MeshData out;
  const auto take = [&](const std::vector<int>& from, std::size_t corners, const Groups& groups,
                        std::vector<int>& to, Groups& kept) {
    std::vector<int> renamed(from.size() / corners, -1);
    for (const std::string& name : names)
      if (const auto it = groups.find(name); it != groups.end())
        for (const int id : it->second) renamed[static_cast<std::size_t>(id)] = 0;
    int count = 0;
    for (std::size_t i = 0; i < renamed.size(); ++i) {
      if (renamed[i] < 0) continue;
      renamed[i] = count++;
      to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(i * corners),
                from.begin() + static_cast<std::ptrdiff_t>((i + 1) * corners));
    }
    for (const auto& [name, ids] : groups)
      for (const int id : ids)
        if (renamed[static_cast<std::size_t>(id)] >= 0) kept[name].push_back(renamed[static_cast<std::size_t>(id)]);
  };
  take(mesh.tets, 4, mesh.tet_groups, out.tets, out.tet_groups);
  take(mesh.triangles, 3, mesh.triangle_groups, out.triangles, out.triangle_groups);
  take(mesh.edges, 2, mesh.edge_groups, out.edges, out.edge_groups);
  std::vector<int> renamed(mesh.vertices.size() / 3, -1);
  for (std::vector<int>* list : {&out.tets, &out.triangles, &out.edges})
    for (const int id : *list) renamed[static_cast<std::size_t>(id)] = 0;
  int count = 0;
  for (std::size_t i = 0; i < renamed.size(); ++i) {
    if (renamed[i] < 0) continue;
    renamed[i] = count++;
    out.vertices.insert(out.vertices.end(), mesh.vertices.begin() + static_cast<std::ptrdiff_t>(3 * i),
                        mesh.vertices.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
  }
  for (std::vector<int>* list : {&out.tets, &out.triangles, &out.edges})
    for (int& id : *list) id = renamed[static_cast<std::size_t>(id)];
  for (const auto& [name, ids] : mesh.vertex_groups)
    for (const int id : ids)
      if (renamed[static_cast<std::size_t>(id)] >= 0)
        out.vertex_groups[name].push_back(renamed[static_cast<std::size_t>(id)]);
  out.notes = mesh.notes;
  return out;
}

/// Files of frames of one format, in order. A run's folder has them under frames/.
std::vector<std::string> frames_in(const std::string& folder) {
  const fs::path inner =
      fs::is_directory(fs::path(folder) / "frames") ? fs::path(folder) / "frames" : fs::path(folder);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(inner)) {
    const std::string format = format_of_path(entry.path().string());
    const auto* known = format.empty() ? nullptr : find_plugin<FormatPlugin>(format);
    if (entry.is_regular_file() && known != nullptr && known->plugin.read &&
        entry.path().string().find("last_good") == std::string::npos)
      names.push_back(entry.path().string());
  }
  std::sort(names.begin(), names.end());
  // vtu keeps all vertices and the exact time: it wins where a run wrote several formats.
  const auto is_vtu = [](const std::string& name) { return name.ends_with(".vtu"); };
  const std::string wanted = std::any_of(names.begin(), names.end(), is_vtu) ? ".vtu"
                             : names.empty()                                 ? ""
                                             : fs::path(names[0]).extension().string();
  std::erase_if(names, [&](const std::string& name) { return fs::path(name).extension() != wanted; });
  if (names.empty()) throw InputError(folder, "there are no frames in it that can be read");
  return names;
}

// Frames number their bodies: group body_2 gets the name that the scene has for it.
void name_bodies(const Scene& scene, MeshData& mesh) {
  const Value* bodies = scene.source.find("bodies");
  if (bodies == nullptr) return;
  for (std::size_t i = 0; i < bodies->list().size(); ++i) {
    const Value* given = bodies->list()[i].find("name");
    const std::string name = given != nullptr ? given->text() : fmt::format("body{}", i + 1);
    for (Groups* groups : {&mesh.tet_groups, &mesh.triangle_groups, &mesh.edge_groups})
      if (auto node = groups->extract(fmt::format("body_{}", i))) {
        node.key() = name;
        groups->insert(std::move(node));
      }
  }
}

// scene.json of a run tells what up is, how long a frame lasts and what bodies are called.
void describe_run(const std::string& folder, Animation& animation, double& step) {
  const std::string file = folder + "/scene.json";
  if (!fs::is_regular_file(file)) return;
  const Scene scene = load_scene(file);
  animation.z_is_up = scene.up == "z";
  step = scene.step * scene.output_every;
  name_bodies(scene, animation.mesh);
}

Animation read_animation(const std::string& folder, const ReadOptions& options) {
  const auto names = std::make_shared<std::vector<std::string>>(frames_in(folder));
  Animation animation;
  double step = 1.0 / 30;
  animation.mesh = read_mesh(names->front(), options);
  describe_run(folder, animation, step);
  const MeshData& first = animation.mesh;
  for (std::size_t i = 0; i < names->size(); ++i) {
    const MeshData frame = read_mesh((*names)[i], options);
    if (frame.vertices.size() != first.vertices.size() || frame.tets != first.tets ||
        frame.triangles != first.triangles || frame.edges != first.edges)
      throw InputError(
          (*names)[i],
          fmt::format("is not the mesh of {}: an animation keeps its vertices and elements", names->front()));
    animation.times.push_back(std::isfinite(frame.time) ? frame.time : step * static_cast<double>(i));
  }
  animation.positions = [names, options](int i) {
    return read_mesh((*names)[static_cast<std::size_t>(i)], options).vertices;
  };
  return animation;
}

Value counts(const MeshData& mesh) {
  return Value::Object{{"vertices", mesh.vertex_count()},
                       {"tets", mesh.tet_count()},
                       {"triangles", mesh.triangle_count()},
                       {"edges", mesh.edge_count()}};
}

// Point caches fit the mesh that is written beside them.
std::string write_base(const FormatPlugin& format, const std::string& to, const MeshData& mesh) {
  if (format.base_format.empty()) return "";
  const FormatPlugin& base = plugin<FormatPlugin>("format", format.base_format, "convert");
  const std::string path = fs::path(to).replace_extension(base.extension).string();
  if (fs::exists(path)) return "";
  write_file(path, base.write(mesh, {}));
  return path;
}

// What the format has no place for, in words; "" when it holds everything.
std::string left_out(const MeshData& mesh, const MeshData& written) {
  std::vector<std::string> parts;
  const auto add = [&](int before, int after, const char* what) {
    if (after < before) parts.push_back(fmt::format("{} {}", before - after, what));
  };
  add(mesh.tet_count(), written.tet_count(), "tets");
  add(mesh.edge_count(), written.edge_count(), "edges");
  add(mesh.vertex_count(), written.vertex_count(), "vertices that nothing drawn uses");
  return fmt::format("{}", fmt::join(parts, ", "));
}

int convert(const ConvertArguments& arguments, bool json) {
  const ReadOptions options{arguments.linearise};
  const std::string name = format_of_path(arguments.to);
  const FormatPlugin* format = name.empty() ? nullptr : &find_plugin<FormatPlugin>(name)->plugin;
  Value::Object document{{"from", arguments.from}, {"to", arguments.to}};
  MeshData mesh;
  std::string beside;
  if (fs::is_directory(arguments.from)) {
    if (format == nullptr || !format->write_sequence)
      throw InputError(arguments.to,
                       "the frames of a folder become one file of an animation: .glb, .usda, .npz, .pc2 or .mdd");
    const Animation animation = read_animation(arguments.from, options);
    mesh = animation.mesh;
    write_file(arguments.to, format->write_sequence(animation));
    document.emplace_back("frames", animation.frame_count());
    beside = write_base(*format, arguments.to, mesh);
  } else {
    mesh = read_mesh(arguments.from, options);
    if (!arguments.groups.empty()) mesh = only_groups(mesh, arguments.groups, arguments.from);
    write_file(arguments.to, write_mesh(arguments.to, mesh, {arguments.variant}));
    if (format != nullptr) beside = write_base(*format, arguments.to, mesh);
  }
  const MeshData written = format != nullptr && format->written ? format->written(mesh) : mesh;
  const std::string without = left_out(mesh, written);
  if (json) {
    document.emplace_back("mesh", counts(written));
    document.emplace_back("left_out", without.empty() ? Value() : Value(without));
    document.emplace_back("notes", list_of(mesh.notes));
    document.emplace_back("beside", beside.empty() ? Value() : Value(beside));
    print_document(document);
    return done;
  }
  fmt::print("{}: {} vertices, {} tets, {} triangles, {} edges\n", arguments.to, written.vertex_count(),
             written.tet_count(), written.triangle_count(), written.edge_count());
  if (!without.empty()) fmt::print("left out, because the format has no place for it: {}\n", without);
  if (!beside.empty()) fmt::print("{}: the mesh that it moves\n", beside);
  for (const std::string& note : mesh.notes) fmt::print("note: {}\n", note);
  return done;
}

}  // namespace

Command convert_command() {
  const auto arguments = std::make_shared<ConvertArguments>();
  Command command{"convert",
                  "Turn a mesh file into another format, or the frames of a run into one animation file",
                  {},
                  {},
                  nullptr};
  command.arguments = {
      {"from", "a mesh file (gzipped or not), or the folder of a run", &arguments->from, true},
      {"to", "the file to write; its ending says the format (resilin list format), .gz packs it", &arguments->to,
       true},
      {"--linearise", "keep the corners of higher-order elements instead of refusing them", &arguments->linearise},
      {"--group", "only the elements of this group (repeatable)", &arguments->groups},
      {"--variant", "of the format: 4.1 or 2.2 of .msh, binary or ascii of .vtk and .ply", &arguments->variant}};
  command.run = [arguments](const Shared& shared) { return convert(*arguments, shared.json); };
  return command;
}

}  // namespace resilin::cli
