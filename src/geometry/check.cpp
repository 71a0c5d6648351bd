// The mesh doctor: finds what would break a simulation or surprise its author, and says where.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "geometry/faces.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {

namespace {

constexpr std::size_t max_examples = 8;
constexpr double zero_volume = 1e-10;  // of the longest edge cubed: slivers pass (bad but usable), flat tets do not
constexpr double coincident = 1e-9;    // of the bounding diagonal

std::string number(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

std::string vertex_text(const TetMesh& mesh, int v) {
  const Vec3 p = vertex_at(mesh.vertices, v);
  return "vertex " + std::to_string(v) + " at (" + number(p[0]) + ", " + number(p[1]) + ", " + number(p[2]) + ")";
}

std::string tet_text(const TetMesh& mesh, int t) {
  const int* v = mesh.tets.data() + 4 * static_cast<std::size_t>(t);
  return "tet " + std::to_string(t) + " (vertices " + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " +
         std::to_string(v[2]) + ", " + std::to_string(v[3]) + ")";
}

/// `ids` ascending; empty adds nothing.
void add(std::vector<Defect>& defects, DefectKind kind, const std::vector<int>& ids, const std::string& detail) {
  if (ids.empty()) return;
  const std::size_t shown = std::min(ids.size(), max_examples);
  defects.push_back({kind, static_cast<int>(ids.size()), {ids.begin(), ids.begin() + shown}, detail});
}

std::vector<bool> check_vertices(const TetMesh& mesh, std::vector<Defect>& defects) {
  std::vector<bool> finite(mesh.vertex_count(), true);
  std::vector<int> bad;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 p = vertex_at(mesh.vertices, v);
    finite[v] = std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
    if (!finite[v]) bad.push_back(v);
  }
  if (!bad.empty())
    add(defects, DefectKind::non_finite_vertex, bad, vertex_text(mesh, bad[0]) + "; coordinates must be finite");
  return finite;
}

/// Which tets have ids that can be followed.
std::vector<bool> check_indices(const TetMesh& mesh, std::vector<Defect>& defects) {
  const int n = mesh.vertex_count();
  std::vector<bool> usable(mesh.tet_count(), true);
  std::vector<int> outside, repeated;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    std::array<int, 4> v;
    std::copy_n(mesh.tets.begin() + 4 * static_cast<std::ptrdiff_t>(t), 4, v.begin());
    std::sort(v.begin(), v.end());
    usable[t] = v[0] >= 0 && v[3] < n;
    if (!usable[t]) outside.push_back(t);
    else if (std::adjacent_find(v.begin(), v.end()) != v.end()) repeated.push_back(t);
  }
  if (!outside.empty())
    add(defects, DefectKind::index_out_of_range, outside,
        tet_text(mesh, outside[0]) + "; vertex ids must be in 0.." + std::to_string(n - 1));
  if (!repeated.empty())
    add(defects, DefectKind::repeated_vertex, repeated,
        tet_text(mesh, repeated[0]) + " names a vertex twice; the four must differ");
  for (int t : repeated) usable[t] = false;
  return usable;
}

double longest_edge(const std::array<Vec3, 4>& p) {
  double longest = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) longest = std::max(longest, norm(p[j] - p[i]));
  return longest;
}

void check_volumes(const TetMesh& mesh, const std::vector<bool>& usable, const std::vector<bool>& finite,
                   std::vector<Defect>& defects) {
  std::vector<int> flat, inverted;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    const int* v = mesh.tets.data() + 4 * static_cast<std::size_t>(t);
    if (!usable[t] || !(finite[v[0]] && finite[v[1]] && finite[v[2]] && finite[v[3]])) continue;
    const double edge = longest_edge(corners(mesh, t)), volume = tet_volume(mesh, t);
    // Negated so that a volume that overflowed to NaN counts as flat.
    if (!(std::abs(volume) > zero_volume * edge * edge * edge)) flat.push_back(t);
    else if (volume < 0) inverted.push_back(t);
  }
  if (!flat.empty())
    add(defects, DefectKind::zero_volume, flat,
        tet_text(mesh, flat[0]) + " has volume " + number(tet_volume(mesh, flat[0])) + " for a longest edge of " +
            number(longest_edge(corners(mesh, flat[0]))) + "; it must not be flat");
  if (!inverted.empty())
    add(defects, DefectKind::inverted, inverted,
        tet_text(mesh, inverted[0]) + " has volume " + number(tet_volume(mesh, inverted[0])) +
            "; it must be positive (swap two of its vertices, or let repair_winding do it)");
}

void check_duplicates(const TetMesh& mesh, const std::vector<bool>& usable, std::vector<Defect>& defects) {
  std::vector<std::array<int, 5>> keys;  // sorted vertices, tet
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (!usable[t]) continue;
    const int* v = mesh.tets.data() + 4 * static_cast<std::size_t>(t);
    std::array<int, 5> key{v[0], v[1], v[2], v[3], t};
    std::sort(key.begin(), key.begin() + 4);
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::pair<int, int>> found;  // (tet, the one before it)
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (std::equal(keys[i].begin(), keys[i].begin() + 4, keys[i - 1].begin()))
      found.emplace_back(keys[i][4], keys[i - 1][4]);
  std::sort(found.begin(), found.end());
  std::vector<int> ids;
  for (const auto& [tet, before] : found) ids.push_back(tet);
  if (!ids.empty())
    add(defects, DefectKind::duplicate_tet, ids,
        tet_text(mesh, ids[0]) + " has the vertices of tet " + std::to_string(found[0].second) +
            "; each must be there once");
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
  add(defects, DefectKind::non_manifold_face, ids,
      "face (" + std::to_string(f.a) + ", " + std::to_string(f.b) + ", " + std::to_string(f.c) + ") of tet " +
          std::to_string(f.tet) + " is shared by more than two tets");
}

void check_unreferenced(const TetMesh& mesh, std::vector<Defect>& defects) {
  std::vector<bool> used(mesh.vertex_count(), false);
  for (std::size_t i = 0; i < 4 * static_cast<std::size_t>(mesh.tet_count()); ++i)
    if (mesh.tets[i] >= 0 && mesh.tets[i] < mesh.vertex_count()) used[mesh.tets[i]] = true;
  std::vector<int> ids;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (!used[v]) ids.push_back(v);
  if (!ids.empty())
    add(defects, DefectKind::unreferenced_vertex, ids,
        vertex_text(mesh, ids[0]) + " belongs to no tet and has no mass");
}

// Sweep along a direction in which the vertices of structured grids do not line up, so that few candidates
// share a window.
void check_coincident(const TetMesh& mesh, const std::vector<bool>& finite, std::vector<Defect>& defects) {
  constexpr Vec3 direction{0.5377, 0.6401, 0.5488};  // about unit length, no simple ratios
  std::vector<std::pair<double, int>> order;
  Bounds box = bounds({});
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (!finite[v]) continue;
    const Vec3 p = vertex_at(mesh.vertices, v);
    order.emplace_back(dot(direction, p), v);
    for (int a = 0; a < 3; ++a) {
      box.lower[a] = std::min(box.lower[a], p[a]);
      box.upper[a] = std::max(box.upper[a], p[a]);
    }
  }
  if (order.empty()) return;
  std::sort(order.begin(), order.end());
  const double tolerance = coincident * norm(box.upper - box.lower);
  std::vector<int> partner(mesh.vertex_count(), -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && order[j].first - order[i].first <= 1.01 * tolerance; ++j) {
      const auto [a, b] = std::minmax(order[i].second, order[j].second);
      if (norm(vertex_at(mesh.vertices, a) - vertex_at(mesh.vertices, b)) > tolerance) continue;
      if (partner[b] < 0) partner[b] = a;
      // Vertices at one place need no further pairs; without this, n copies of one vertex would cost n^2.
      if (partner[order[i].second] >= 0 && partner[order[j].second] >= 0) break;
    }
  std::vector<int> ids;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (partner[v] >= 0) ids.push_back(v);
  if (!ids.empty())
    add(defects, DefectKind::coincident_vertices, ids,
        vertex_text(mesh, ids[0]) + " lies on vertex " + std::to_string(partner[ids[0]]));
}

}  // namespace

const char* name(DefectKind kind) {
  switch (kind) {
    case DefectKind::incomplete_array: return "incomplete array";
    case DefectKind::non_finite_vertex: return "non-finite vertex";
    case DefectKind::index_out_of_range: return "index out of range";
    case DefectKind::repeated_vertex: return "repeated vertex";
    case DefectKind::zero_volume: return "zero volume";
    case DefectKind::inverted: return "inverted";
    case DefectKind::duplicate_tet: return "duplicate tet";
    case DefectKind::non_manifold_face: return "non-manifold face";
    case DefectKind::unreferenced_vertex: return "unreferenced vertex";
    case DefectKind::coincident_vertices: return "coincident vertices";
  }
  return "unknown";
}

std::vector<Defect> check(const TetMesh& mesh) {
  std::vector<Defect> defects;
  if (mesh.vertices.size() % 3 != 0 || mesh.tets.size() % 4 != 0)
    defects.push_back({DefectKind::incomplete_array,
                       1,
                       {},
                       std::to_string(mesh.vertices.size()) + " coordinates and " +
                           std::to_string(mesh.tets.size()) + " tet indices; these must be multiples of 3 and 4"});
  const std::vector<bool> finite = check_vertices(mesh, defects);
  const std::vector<bool> usable = check_indices(mesh, defects);
  check_volumes(mesh, usable, finite, defects);
  check_duplicates(mesh, usable, defects);
  check_faces(mesh, usable, defects);
  check_unreferenced(mesh, defects);
  check_coincident(mesh, finite, defects);
  return defects;
}

void validate(const TetMesh& mesh, const std::string& where) {
  for (const Defect& defect : check(mesh)) {
    if (defect.kind == DefectKind::coincident_vertices) continue;
    const std::string more = defect.count > 1 ? " (and " + std::to_string(defect.count - 1) + " more)" : "";
    throw InputError(where, defect.detail + more);
  }
}

std::vector<int> repair_winding(TetMesh& mesh) {
  std::vector<int> flipped;
  for (int t = 0; t < mesh.tet_count(); ++t) {
    if (tet_volume(mesh, t) >= 0) continue;
    std::swap(mesh.tets[4 * static_cast<std::size_t>(t) + 2], mesh.tets[4 * static_cast<std::size_t>(t) + 3]);
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
