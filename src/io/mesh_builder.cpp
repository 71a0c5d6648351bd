#include "io/mesh_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "resilin/watch.h"

namespace resilin {

using Shape = CellType::Shape;

void MeshBuilder::check(const CellType& type) const {
  if (type.shape == Shape::other)
    cursor_.fail(
        fmt::format("a {}: only tets, triangles and edges are simulated; mesh the body with tets", type.name));
  if (type.nodes > type.corners && !options_.linearise)
    cursor_.fail(
        fmt::format("a {} is of higher order: only linear elements are simulated; --linearise, or \"linearise\": "
                    "true in the body of a scene, keeps its corners",
                    type.name));
}

Added MeshBuilder::add(const CellType& type, std::span<const int> nodes) {
  check(type);
  if (++cells_ % 65536 == 0) watch_check();
  if (type.nodes > type.corners) ++linearised_;
  const auto append = [&](std::vector<int>& list, std::initializer_list<std::size_t> corners) {
    for (const std::size_t c : corners) list.push_back(nodes[c]);
  };
  switch (type.shape) {
    case Shape::edge: append(mesh.edges, {0, 1}); return {&mesh.edge_groups, mesh.edge_count() - 1, 1};
    case Shape::triangle:
      append(mesh.triangles, {0, 1, 2});
      return {&mesh.triangle_groups, mesh.triangle_count() - 1, 1};
    case Shape::tet: append(mesh.tets, {0, 1, 2, 3}); return {&mesh.tet_groups, mesh.tet_count() - 1, 1};
    case Shape::point: return {&mesh.vertex_groups, nodes[0], 1};
    case Shape::quad:
    case Shape::polygon: {
      const std::size_t corners = type.shape == Shape::quad ? 4 : nodes.size();
      const int first = mesh.triangle_count();
      for (std::size_t i = 2; i < corners; ++i) append(mesh.triangles, {0, i - 1, i});
      return {&mesh.triangle_groups, first, mesh.triangle_count() - first};
    }
    case Shape::other: break;
  }
  return {};
}

void MeshBuilder::put(const Added& added, const std::string& group) {
  if (added.groups == nullptr || added.count == 0) return;
  std::vector<int>& ids = (*added.groups)[group];
  for (int i = 0; i < added.count; ++i) ids.push_back(added.first + i);
}

int MeshBuilder::vertex(std::int64_t id, std::int64_t base, std::size_t cell, const char* kind) const {
  const std::int64_t count = mesh.vertex_count();
  if (id < base || id >= base + count)
    cursor_.fail(fmt::format(
        "{} {} names vertex {}: {}", kind, cell, id,
        count == 0 ? std::string("there are none") : fmt::format("there are {} to {}", base, base + count - 1)));
  return static_cast<int>(id - base);
}

MeshData MeshBuilder::finish() {
  for (Groups* groups : {&mesh.tet_groups, &mesh.triangle_groups, &mesh.edge_groups, &mesh.vertex_groups})
    sort_groups(*groups);
  if (linearised_ > 0) {
    const int before = mesh.vertex_count();
    keep_vertices(mesh, used_vertices(mesh));
    mesh.notes.push_back(
        fmt::format("{} higher-order elements were made linear; {} vertices that no corner uses are gone",
                    linearised_, before - mesh.vertex_count()));
  }
  return std::move(mesh);
}

void sort_groups(Groups& groups) {
  for (auto& [name, ids] : groups) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
}

std::vector<char> used_vertices(const MeshData& mesh) {
  std::vector<char> used(static_cast<std::size_t>(mesh.vertex_count()), 0);
  for (const std::vector<int>* list : {&mesh.tets, &mesh.triangles, &mesh.edges})
    for (const int id : *list) used[id] = 1;
  return used;
}

std::vector<int> keep_vertices(MeshData& mesh, const std::vector<char>& keep) {
  std::vector<int> renamed(keep.size(), -1);
  int count = 0;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i] == 0) continue;
    for (std::size_t k = 0; k < 3; ++k) mesh.vertices[3 * count + k] = mesh.vertices[3 * i + k];
    for (NamedField& field : mesh.vertex_fields) {
      const auto n = static_cast<std::size_t>(field.components);
      for (std::size_t k = 0; k < n; ++k)
        field.values[static_cast<std::size_t>(count) * n + k] = field.values[i * n + k];
    }
    renamed[i] = count++;
  }
  mesh.vertices.resize(3 * static_cast<std::size_t>(count));
  for (NamedField& field : mesh.vertex_fields)
    field.values.resize(static_cast<std::size_t>(count * field.components));
  for (std::vector<int>* list : {&mesh.tets, &mesh.triangles, &mesh.edges})
    for (int& id : *list) id = renamed[id];
  for (auto& [name, ids] : mesh.vertex_groups) {
    std::vector<int> kept;
    for (const int id : ids)
      if (renamed[id] >= 0) kept.push_back(renamed[id]);
    ids = std::move(kept);
  }
  return renamed;
}

std::string tag_group(const char* prefix, std::int64_t tag) { return fmt::format("{}_{}", prefix, tag); }

}  // namespace resilin
