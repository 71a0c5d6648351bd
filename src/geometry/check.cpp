// The mesh doctor for solids: finds what would break a simulation or surprise its author, and says where.
#include <algorithm>
#include <numeric>
#include <utility>

#include "geometry/check_parts.h"
#include "geometry/faces.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {

namespace {

constexpr double sliver_angle = 1;  // [degrees] from flat

ElementList list_of(const TetMesh& mesh) { return {mesh.vertices, mesh.tets, 4, "tet"}; }

void check_volumes(const TetMesh& mesh, const std::vector<bool>& usable, const std::vector<bool>& finite,
                   std::vector<Defect>& defects) {
  std::vector<int> flat, inverted;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    const int* v = mesh.tets.data() + 4 * static_cast<std::size_t>(t);
    if (!usable[t] || !(finite[v[0]] && finite[v[1]] && finite[v[2]] && finite[v[3]])) continue;
    if (is_flat(corners(mesh, t))) flat.push_back(t);
    else if (tet_volume(mesh, t) < 0) inverted.push_back(t);
  }
  if (!flat.empty())
    add_defect(defects, DefectKind::zero_volume, flat,
               element_text(list_of(mesh), flat[0]) + " has volume " + number_text(tet_volume(mesh, flat[0])) +
                   " for a longest edge of " + number_text(longest_edge(corners(mesh, flat[0]))) +
                   "; it must not be flat");
  if (!inverted.empty())
    add_defect(defects, DefectKind::inverted, inverted,
               element_text(list_of(mesh), inverted[0]) + " has volume " +
                   number_text(tet_volume(mesh, inverted[0])) +
                   "; it must be positive (swap two of its vertices, or let repair_winding do it)");
}

void check_faces(const TetMesh& mesh, const std::vector<bool>& usable, std::vector<Defect>& defects) {
  const std::vector<Face> faces = sorted_faces(mesh, usable);
  std::vector<std::pair<int, std::size_t>> found;  // (first tet, where in faces)
  for (std::size_t i = 0, end; i < faces.size(); i = end) {
    for (end = i + 1; end < faces.size() && faces[end].same_vertices(faces[i]);) ++end;
    if (end - i > 2) found.emplace_back(faces[i].tet, i);
  }
  if (found.empty()) return;
  std::sort(found.begin(), found.end());
  std::vector<int> ids;
  for (const auto& [tet, where] : found) ids.push_back(tet);
  const Face& f = faces[found[0].second];
  add_defect(defects, DefectKind::non_manifold_face, ids,
             "face (" + std::to_string(f.a) + ", " + std::to_string(f.b) + ", " + std::to_string(f.c) +
                 ") of tet " + std::to_string(f.tet) + " is shared by more than two tets");
}

[[noreturn]] void refuse(const Defect& defect, const std::string& where) {
  const std::string more = defect.count > 1 ? " (and " + std::to_string(defect.count - 1) + " more)" : "";
  throw InputError(where, defect.detail + more);
}

}  // namespace

const char* name(DefectKind kind) {
  switch (kind) {
    case DefectKind::incomplete_array: return "incomplete_array";
    case DefectKind::non_finite_vertex: return "non_finite_vertex";
    case DefectKind::index_out_of_range: return "index_out_of_range";
    case DefectKind::repeated_vertex: return "repeated_vertex";
    case DefectKind::zero_volume: return "zero_volume";
    case DefectKind::inverted: return "inverted";
    case DefectKind::duplicate_tet: return "duplicate_tet";
    case DefectKind::non_manifold_face: return "non_manifold_face";
    case DefectKind::zero_area: return "zero_area";
    case DefectKind::duplicate_triangle: return "duplicate_triangle";
    case DefectKind::non_manifold_edge: return "non_manifold_edge";
    case DefectKind::inconsistent_winding: return "inconsistent_winding";
    case DefectKind::inside_out: return "inside_out";
    case DefectKind::self_intersection: return "self_intersection";
    case DefectKind::open_boundary: return "open_boundary";
    case DefectKind::sliver: return "sliver";
    case DefectKind::unreferenced_vertex: return "unreferenced_vertex";
    case DefectKind::coincident_vertices: return "coincident_vertices";
    case DefectKind::size_looks_like_millimetres: return "size_looks_like_millimetres";
  }
  return "unknown";
}

std::vector<Defect> check(const TetMesh& mesh) {
  std::vector<Defect> defects;
  const ElementList list = list_of(mesh);
  check_arrays(list, defects);
  const std::vector<bool> finite = check_vertices(list, defects);
  std::vector<bool> usable = check_indices(list, defects);
  check_volumes(mesh, usable, finite, defects);
  std::vector<bool> unique = usable;
  check_duplicates(list, unique, DefectKind::duplicate_tet, defects);
  check_faces(mesh, usable, defects);
  check_unreferenced(list, defects);
  check_coincident(list, defects);
  return defects;
}

std::vector<Defect> check_shape(const TetMesh& mesh, const Quality& quality) {
  std::vector<int> ids;
  for (int t = 0; t < mesh.tet_count(); ++t)
    if (quality.tet_min_dihedral[t] < sliver_angle || quality.tet_max_dihedral[t] > 180 - sliver_angle)
      ids.push_back(t);
  std::vector<Defect> defects;
  if (!ids.empty())
    add_defect(defects, DefectKind::sliver, ids,
               element_text(list_of(mesh), ids[0]) + " has dihedral angles from " +
                   number_text(quality.tet_min_dihedral[ids[0]]) + " to " +
                   number_text(quality.tet_max_dihedral[ids[0]]) + " degrees");
  return defects;
}

void validate(const TetMesh& mesh, const std::string& where) {
  for (const Defect& defect : check(mesh))
    if (defect.kind != DefectKind::coincident_vertices) refuse(defect, where);
}

void validate(const TriangleMesh& mesh, const std::string& where) {
  const std::vector<Defect> defects = check_shell(mesh);
  if (!defects.empty()) refuse(defects[0], where);
}

std::vector<int> repair_winding(TetMesh& mesh) {
  std::vector<int> flipped;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (tet_volume(mesh, t) >= 0) continue;
    std::swap(mesh.tets[4 * t + 2], mesh.tets[4 * t + 3]);
    flipped.push_back(t);
  }
  return flipped;
}

std::vector<int> drop_unreferenced(TetMesh& mesh) {
  std::vector<bool> used(mesh.vertex_count(), false);
  for (int v : mesh.tets) used[v] = true;
  std::vector<int> dropped;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (!used[v]) dropped.push_back(v);
  if (dropped.empty()) return dropped;
  std::vector<int> all(mesh.tet_count());
  std::iota(all.begin(), all.end(), 0);
  mesh = subset(mesh, all);
  return dropped;
}

}  // namespace resilin
