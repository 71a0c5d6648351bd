// One input to one reader, as fuzzers and the test of broken files do it: what comes out is either an InputError or
// a mesh that keeps every promise of MeshData.
#pragma once
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "resilin/errors.h"
#include "resilin/io.h"
#include "resilin/registry.h"

namespace resilin::test {

/// The first promise that the mesh breaks, or "".
inline std::string broken_promise(const MeshData& mesh) {
  if (mesh.vertices.size() % 3 != 0 || mesh.tets.size() % 4 != 0 || mesh.triangles.size() % 3 != 0 ||
      mesh.edges.size() % 2 != 0)
    return "an incomplete array";
  for (const double x : mesh.vertices)
    if (!std::isfinite(x)) return "a vertex is not finite";
  for (const std::vector<int>* list : {&mesh.tets, &mesh.triangles, &mesh.edges})
    for (const int id : *list)
      if (id < 0 || id >= mesh.vertex_count()) return "an index is out of range";
  const std::pair<const Groups*, int> all[] = {{&mesh.tet_groups, mesh.tet_count()},
                                               {&mesh.triangle_groups, mesh.triangle_count()},
                                               {&mesh.edge_groups, mesh.edge_count()},
                                               {&mesh.vertex_groups, mesh.vertex_count()}};
  for (const auto& [groups, count] : all)
    for (const auto& [name, ids] : *groups)
      for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || ids[i] >= count || (i > 0 && ids[i] <= ids[i - 1]))
          return "a group is out of range or order";
  for (const FileMaterial& material : mesh.materials)
    if (!mesh.tet_groups.contains(material.group)) return "a material of no group";
  return "";
}

/// Reads `input` as that format, whatever it looks like. TetGen's two or three files are one input, cut at lines of
/// dashes. Returns whether it was a mesh; throws InputError.
inline MeshData read_as(const std::string& format, std::string_view input, const ReadOptions& options = {}) {
  const FormatPlugin& reader = plugin<FormatPlugin>("format", format, "fuzz");
  std::string name = "input" + reader.extension;
  std::string_view others[2];  // .ele and .face
  const std::string_view cut = "-----\n";
  const auto split = [&](std::string_view& first, std::string_view& rest) {
    const std::size_t at = first.find(cut);
    if (format != "tetgen" || at == std::string_view::npos) return;
    rest = first.substr(at + cut.size());
    first = first.substr(0, at);
  };
  split(input, others[0]), split(others[0], others[1]);
  const auto companion = [&](const std::string& file) -> std::optional<std::string> {
    const std::string_view contents = others[file.ends_with(".face") ? 1 : 0];
    if (contents.empty()) return std::nullopt;
    return std::string(contents);
  };
  return reader.read({name, input, companion}, options);
}

}  // namespace resilin::test
