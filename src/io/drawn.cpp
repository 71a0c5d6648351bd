#include "io/drawn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "io/mesh_builder.h"

namespace resilin {
namespace {

using Face = std::array<int, 3>;

Face sorted_face(const std::vector<int>& triangles, std::size_t t) {
  Face face = {triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]};
  std::sort(face.begin(), face.end());
  return face;
}

// boundary_triangles() lists the faces in the order of their tets: walk along. A tet may name a vertex twice.
std::vector<int> owners(const std::vector<int>& tets, const std::vector<int>& faces) {
  const auto face_of = [&](std::size_t tet, std::size_t face) {
    const int *corners = &tets[4 * tet], *v = &faces[3 * face];
    return std::all_of(v, v + 3, [&](int id) { return std::find(corners, corners + 4, id) != corners + 4; });
  };
  std::vector<int> owner(faces.size() / 3);
  std::size_t tet = 0;
  for (std::size_t t = 0; t < owner.size(); ++t) {
    while (!face_of(tet, t)) ++tet;
    owner[t] = static_cast<int>(tet);
  }
  return owner;
}

// Tets that carry a surface which is drawn in their place: the triangles of their group stand on other vertices.
std::vector<char> carriers(const MeshData& mesh) {
  std::vector<char> out(mesh.tets.size() / 4, 0);
  for (const auto& [name, tets] : mesh.tet_groups) {
    const auto skin = mesh.triangle_groups.find(name);
    if (skin == mesh.triangle_groups.end() || skin->second.empty()) continue;
    std::vector<char> of_tets(static_cast<std::size_t>(mesh.vertex_count()), 0);
    for (const int t : tets)
      for (std::size_t c = 0; c < 4; ++c) of_tets[mesh.tets[4 * t + c]] = 1;
    const bool apart = std::none_of(skin->second.begin(), skin->second.end(),
                                    [&](int t) { return of_tets[mesh.triangles[3 * t]] != 0; });
    for (const int t : tets) out[t] = apart ? 1 : 0;
  }
  return out;
}

// What tets show and no triangle says: a file may have triangles of one body only, or of the one side that it
// names. New triangles are in the groups of the tets that they bound.
void add_boundary(MeshData& mesh) {
  if (mesh.tets.empty()) return;
  TetMesh solid;
  solid.vertices = mesh.vertices;
  solid.tets = mesh.tets;
  const std::vector<int> faces = boundary_triangles(solid), owner = owners(mesh.tets, faces);
  std::set<Face> known;
  for (std::size_t t = 0; t < mesh.triangles.size() / 3; ++t) known.insert(sorted_face(mesh.triangles, t));
  const std::vector<char> carries = carriers(mesh);
  std::vector<int> tet_of;  // of the new ones
  const int first = mesh.triangle_count();
  for (std::size_t t = 0; t < owner.size(); ++t) {
    if (carries[owner[t]] != 0 || known.contains(sorted_face(faces, t))) continue;
    mesh.triangles.insert(mesh.triangles.end(), faces.begin() + static_cast<std::ptrdiff_t>(3 * t),
                          faces.begin() + static_cast<std::ptrdiff_t>(3 * t + 3));
    tet_of.push_back(owner[t]);
  }
  for (const auto& [name, tets] : mesh.tet_groups)
    for (std::size_t t = 0; t < tet_of.size(); ++t)
      if (std::binary_search(tets.begin(), tets.end(), tet_of[t]))
        mesh.triangle_groups[name].push_back(first + static_cast<int>(t));
}

void add_part(std::vector<Part>& parts, const MeshData& mesh, const std::string& name,
              const std::vector<std::string>& triangle_group, const std::vector<std::string>& edge_group) {
  Part part;
  part.name = name;
  const auto add = [&](const std::vector<int>& ids, std::size_t corners, const std::vector<std::string>& group,
                       std::vector<int>& to) {
    for (std::size_t i = 0; i < group.size(); ++i)
      if (group[i] == name)
        to.insert(to.end(), ids.begin() + static_cast<std::ptrdiff_t>(i * corners),
                  ids.begin() + static_cast<std::ptrdiff_t>((i + 1) * corners));
  };
  add(mesh.triangles, 3, triangle_group, part.triangles);
  add(mesh.edges, 2, edge_group, part.edges);
  if (part.triangles.empty() && part.edges.empty()) return;
  if (!part.triangles.empty()) part.edges.clear();  // the springs of a cloth are not drawn over it
  std::vector<int> local(static_cast<std::size_t>(mesh.vertex_count()), -1);
  for (std::vector<int>* list : {&part.triangles, &part.edges})
    for (const int id : *list) local[id] = 0;
  for (std::size_t i = 0; i < local.size(); ++i) {
    if (local[i] < 0) continue;
    local[i] = static_cast<int>(part.vertices.size());
    part.vertices.push_back(static_cast<int>(i));
  }
  for (std::vector<int>* list : {&part.triangles, &part.edges})
    for (int& id : *list) id = local[id];
  parts.push_back(std::move(part));
}

}  // namespace

MeshData drawn(const MeshData& mesh, std::vector<int>& vertex_map) {
  MeshData out = mesh;
  add_boundary(out);
  out.tets.clear();
  out.tet_groups.clear();
  out.tet_fields.clear();
  std::vector<char> used = used_vertices(out);
  if (out.triangles.empty() && out.edges.empty())
    std::fill(used.begin(), used.end(), char{1});  // a cloud of vertices
  keep_vertices(out, used);
  vertex_map.clear();
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i] != 0) vertex_map.push_back(static_cast<int>(i));
  return out;
}

MeshData drawn(const MeshData& mesh) {
  std::vector<int> ignored;
  return drawn(mesh, ignored);
}

MeshData drawn_once(const MeshData& mesh) {
  MeshData out = drawn(mesh);
  const std::vector<Part> parts = parts_of(out);
  std::size_t edges = 0;
  for (const Part& part : parts) edges += part.edges.size();
  if (edges == out.edges.size()) return out;
  out.edges.clear(), out.edge_groups.clear();  // only those of parts that have no triangles stay
  for (const Part& part : parts)
    for (const int id : part.edges) out.edges.push_back(part.vertices[id]);
  return drawn(out);
}

std::vector<std::string> first_groups(const Groups& groups, int count) {
  std::vector<std::string> out(static_cast<std::size_t>(count));
  for (const auto& [name, ids] : groups)
    for (const int id : ids)
      if (out[id].empty()) out[id] = name;
  return out;
}

std::vector<Part> parts_of(const MeshData& mesh) {
  MeshData shown = mesh;
  add_boundary(shown);
  const std::vector<std::string> triangle_group = first_groups(shown.triangle_groups, shown.triangle_count()),
                                 edge_group = first_groups(shown.edge_groups, shown.edge_count());
  std::vector<std::string> names;
  for (const Groups* groups : {&shown.triangle_groups, &shown.edge_groups})
    for (const auto& [name, ids] : *groups) names.push_back(name);
  names.emplace_back();
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<Part> parts;
  for (const std::string& name : names) add_part(parts, shown, name, triangle_group, edge_group);
  for (Part& part : parts)
    if (part.name.empty()) part.name = "mesh";
  return parts;
}

Animation still(const MeshData& mesh) {
  return {
      mesh, {std::isfinite(mesh.time) ? mesh.time : 0.0}, [positions = mesh.vertices](int) { return positions; }};
}

std::vector<float> pick(const std::vector<double>& positions, const std::vector<int>& vertices) {
  std::vector<float> out;
  out.reserve(3 * vertices.size());
  for (const int id : vertices)
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = positions[3 * id + k];
      if (!(std::abs(x) <= static_cast<double>(std::numeric_limits<float>::max())))
        throw InputError("", fmt::format("vertex {} is at {}, which is too far away for this format", id, x));
      out.push_back(static_cast<float>(x));
    }
  return out;
}

}  // namespace resilin
