// The repairs of the doctor: each a step that reports what it changed.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/disjoint_sets.h"
#include "geometry/check_parts.h"
#include "geometry/surface_patches.h"
#include "geometry/triangle_copies.h"
#include "geometry/vec3.h"
#include "io/doctor.h"
#include "io/doctor_weld.h"
#include "io/mesh_builder.h"

namespace resilin {
namespace {

/// 1 for each part that has tets, or triangles without an open edge.
std::vector<char> closed_parts(const MeshData& mesh, const Parts& parts) {
  std::vector<char> solid(static_cast<std::size_t>(parts.count), 0), sheet = solid, open = solid;
  for (const int v : mesh.tets) solid[parts.of_vertex[v]] = 1;
  for (const int v : mesh.triangles) sheet[parts.of_vertex[v]] = 1;
  std::vector<bool> use(mesh.triangles.size() / 3, true);
  find_copies(mesh.triangles, use).drop_from(use);
  const std::vector<HalfEdge> half_edges = sorted_half_edges(mesh.triangles, use);
  for_each_edge(half_edges, [&](std::span<const HalfEdge> edge) {
    if (edge.size() == 1 && edge[0].a != edge[0].b) open[parts.of_vertex[edge[0].a]] = 1;
  });
  for (std::size_t i = 0; i < solid.size(); ++i) solid[i] = solid[i] || (sheet[i] && !open[i]) ? 1 : 0;
  return solid;
}

void weld(MeshData& mesh, std::vector<RepairStep>& steps) {
  const std::vector<int> map = weld_map(mesh);
  int count = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) count += map[v] != v ? 1 : 0;
  if (count == 0) return;
  for (std::vector<int>* list : {&mesh.tets, &mesh.triangles, &mesh.edges})
    for (int& v : *list) v = map[v];
  for (auto& [name, ids] : mesh.vertex_groups)
    for (int& v : ids) v = map[v];
  sort_groups(mesh.vertex_groups);
  std::vector<char> keep(map.size());
  for (std::size_t v = 0; v < keep.size(); ++v) keep[v] = map[v] == static_cast<int>(v) ? 1 : 0;
  keep_vertices(mesh, keep);
  steps.push_back(
      {"welded_vertices", count, fmt::format("{} vertices were welded to others at their place", count)});
}

/// One kind of elements of a mesh.
struct Kind {
  std::vector<int>& ids;
  Groups& groups;
  std::vector<NamedField>& fields;
  int corners;
  const char *noun, *plural;
};

template <std::size_t N>
bool is_flat_element(const ElementList& list, int e) {
  std::array<Vec3, N> p;
  for (std::size_t i = 0; i < N; ++i) p[i] = vertex_at(list.vertices, list[e][i]);
  return is_flat(p);
}

void keep_elements(const Kind& kind, const std::vector<bool>& keep) {
  std::vector<int> renamed(keep.size(), -1);
  std::size_t count = 0;
  const auto move = [&](auto& values, std::size_t width, std::size_t from) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                values.begin() + static_cast<std::ptrdiff_t>(count * width));
  };
  const auto width = static_cast<std::size_t>(kind.corners);
  for (std::size_t e = 0; e < keep.size(); ++e) {
    if (!keep[e]) continue;
    move(kind.ids, width, e);
    for (NamedField& field : kind.fields) move(field.values, static_cast<std::size_t>(field.components), e);
    renamed[e] = static_cast<int>(count++);
  }
  kind.ids.resize(count * width);
  for (NamedField& field : kind.fields) field.values.resize(count * static_cast<std::size_t>(field.components));
  for (auto& [name, ids] : kind.groups) {
    for (int& id : ids) id = renamed[id];
    std::erase(ids, -1);
  }
}

void drop_elements(MeshData& mesh, const Kind& kind, std::vector<RepairStep>& steps) {
  const ElementList list{mesh.vertices, kind.ids, kind.corners, kind.noun};
  std::vector<Defect> ignored;
  std::vector<bool> keep = check_indices(list, ignored);
  const auto kept = [&] { return static_cast<int>(std::count(keep.begin(), keep.end(), true)); };
  const auto report = [&](int before, const char* what, const char* why) {
    const int count = before - kept();
    if (count > 0)
      steps.push_back({fmt::format("dropped_{}_{}", what, kind.plural), count,
                       fmt::format("{} {} {} were dropped", count, kind.plural, why)});
    return kept();
  };
  int left = report(list.count(), "repeating", "that name a vertex twice");
  for (int e = 0; e < list.count(); ++e)
    if (keep[e] &&
        ((kind.corners == 4 && is_flat_element<4>(list, e)) || (kind.corners == 3 && is_flat_element<3>(list, e))))
      keep[e] = false;
  left = report(left, "flat", kind.corners == 4 ? "without volume" : "without area");
  if (kind.corners == 3) {
    const TriangleCopies copies = find_copies(list.ids, keep);
    for (const int t : copies.opposite) keep[t] = false;
    left = report(left, "opposite", "that face opposite sides in pairs");
    copies.drop_from(keep);
  } else {
    check_duplicates(list, keep, DefectKind::duplicate_tet, ignored);
  }
  left = report(left, "duplicate", "that repeat another");
  if (left < list.count()) keep_elements(kind, keep);
}

void flip_tets(MeshData& mesh, std::vector<RepairStep>& steps) {
  TetMesh solid{mesh.vertices, mesh.tets, {}, {}};
  const int count = static_cast<int>(repair_winding(solid).size());
  if (count == 0) return;
  mesh.tets = std::move(solid.tets);
  steps.push_back({"flipped_tets", count, fmt::format("{} inverted tets were turned around", count)});
}

// The triangles beside tets mark places of their boundary or inside: which way they face means nothing.
void orient_surface(MeshData& mesh, std::vector<RepairStep>& steps) {
  if (!mesh.tets.empty()) return;
  TriangleMesh surface{mesh.vertices, mesh.triangles, {}, {}};
  const int count = static_cast<int>(repair_winding(surface).size());
  if (count == 0) return;
  mesh.triangles = std::move(surface.triangles);
  steps.push_back(
      {"turned_triangles", count,
       fmt::format("{} triangles were turned so that neighbours agree and closed parts face outward", count)});
}

void drop_vertices(MeshData& mesh, std::vector<RepairStep>& steps) {
  const int before = mesh.vertex_count();
  keep_vertices(mesh, used_vertices(mesh));
  const int count = before - mesh.vertex_count();
  if (count > 0)
    steps.push_back(
        {"dropped_vertices", count, fmt::format("{} vertices that no element uses were dropped", count)});
}

}  // namespace

Parts find_parts(const MeshData& mesh) {
  DisjointSets sets(static_cast<std::size_t>(mesh.vertex_count()));
  const std::pair<const std::vector<int>*, std::size_t> lists[] = {
      {&mesh.tets, 4}, {&mesh.triangles, 3}, {&mesh.edges, 2}};
  for (const auto& [ids, corners] : lists)
    for (std::size_t i = 0; i < ids->size(); ++i) sets.join((*ids)[i - i % corners], (*ids)[i]);
  const std::vector<char> used = used_vertices(mesh);
  Parts out;
  std::vector<int> label(mesh.vertices.size() / 3, -1);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (used[v] == 0) {
      out.of_vertex.push_back(-1);
      continue;
    }
    int& l = label[sets.root(v)];
    if (l < 0) l = out.count++;
    out.of_vertex.push_back(l);
  }
  return out;
}

std::vector<int> weld_map(const MeshData& mesh) {
  const std::vector<int> place = coincident_vertices(mesh.vertices);
  const Parts parts = find_parts(mesh);
  const std::vector<char> closed = closed_parts(mesh, parts);
  std::vector<int> map(place.size()), shared(place.size(), 0);
  for (const int p : place) ++shared[p];
  std::map<std::pair<int, int>, int> first;  // (place, closed part or -1) -> vertex
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    map[v] = v;
    const int part = parts.of_vertex[v];
    if (part < 0 || shared[place[v]] == 1) continue;
    map[v] = first.try_emplace({place[v], closed[part] != 0 ? part : -1}, v).first->second;
  }
  return map;
}

bool welds_anything(const std::vector<int>& map) {
  for (std::size_t v = 0; v < map.size(); ++v)
    if (map[v] != static_cast<int>(v)) return true;
  return false;
}

std::vector<RepairStep> repair(MeshData& mesh, bool for_shell) {
  std::vector<RepairStep> steps;
  if (mesh.tets.empty() && mesh.triangles.empty() && mesh.edges.empty())
    return steps;  // a cloud of points stays one
  std::vector<NamedField> none;
  weld(mesh, steps);
  drop_elements(mesh, {mesh.tets, mesh.tet_groups, mesh.tet_fields, 4, "tet", "tets"}, steps);
  drop_elements(mesh, {mesh.triangles, mesh.triangle_groups, none, 3, "triangle", "triangles"}, steps);
  drop_elements(mesh, {mesh.edges, mesh.edge_groups, none, 2, "edge", "edges"}, steps);
  flip_tets(mesh, steps);
  if (for_shell && mesh.tets.empty()) cut_crowded_edges(mesh, steps);
  orient_surface(mesh, steps);
  drop_vertices(mesh, steps);
  return steps;
}

}  // namespace resilin
