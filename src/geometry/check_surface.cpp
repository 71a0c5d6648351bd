// The mesh doctor for surfaces: what keeps triangles from being cloth, or from enclosing a solid that can be
// filled.
#include <algorithm>
#include <map>

#include "core/disjoint_sets.h"
#include "geometry/check_parts.h"
#include "geometry/self_intersection.h"
#include "geometry/surface_patches.h"
#include "geometry/triangle_copies.h"
#include "geometry/vec3.h"

namespace resilin {

namespace {

ElementList list_of(const TriangleMesh& mesh) { return {mesh.vertices, mesh.triangles, 3, "triangle"}; }

std::string edge_text(const HalfEdge& edge) {
  return "edge (" + std::to_string(edge.a) + ", " + std::to_string(edge.b) + ") of triangle " +
         std::to_string(edge.triangle);
}

double area_of(const Corners& p) { return norm(cross(p[1] - p[0], p[2] - p[0])) / 2; }

Corners corners_of(const ElementList& list, int t) {
  return {vertex_at(list.vertices, list[t][0]), vertex_at(list.vertices, list[t][1]),
          vertex_at(list.vertices, list[t][2])};
}

/// Which triangles are usable and have an area.
std::vector<bool> check_areas(const ElementList& list, const std::vector<bool>& usable,
                              const std::vector<bool>& finite, std::vector<Defect>& defects) {
  std::vector<bool> solid(usable.size(), false);
  std::vector<int> flat;
  for (int t = 0; t < list.count(); ++t) {
    if (!usable[t] || !(finite[list[t][0]] && finite[list[t][1]] && finite[list[t][2]])) continue;
    solid[t] = !is_flat(corners_of(list, t));
    if (!solid[t]) flat.push_back(t);
  }
  if (!flat.empty())
    add_defect(defects, DefectKind::zero_area, flat,
               element_text(list, flat[0]) + " has area " + number_text(area_of(corners_of(list, flat[0]))) +
                   "; it must not be a line or a point");
  return solid;
}

/// What repeats or cancels is no longer `usable`: edges are counted as they are without it.
void check_copies(const ElementList& list, std::vector<bool>& usable, std::vector<Defect>& defects) {
  const TriangleCopies copies = find_copies(list.ids, usable);
  copies.drop_from(usable);
  std::vector<int> ids = copies.opposite;
  for (const auto& [triangle, first] : copies.repeated) ids.push_back(triangle);
  if (ids.empty()) return;
  std::sort(ids.begin(), ids.end());
  std::string detail;
  if (!copies.repeated.empty())
    detail = element_text(list, copies.repeated[0].first) + " has the vertices of triangle " +
             std::to_string(copies.repeated[0].second) + "; each must be there once";
  if (!copies.opposite.empty())
    detail += (detail.empty() ? "" : "; ") + std::to_string(copies.opposite.size()) +
              " of them face opposite sides in pairs and cancel, like " + element_text(list, copies.opposite[0]);
  add_defect(defects, DefectKind::duplicate_triangle, ids, detail);
}

/// The first triangles of all edges of one kind, and the first of these edges in words.
struct EdgeDefect {
  DefectKind kind;
  const char* problem;
  std::vector<HalfEdge> edges = {};
};

void check_edges(const ElementList& list, const std::vector<bool>& usable, std::vector<Defect>& defects) {
  EdgeDefect crowded{DefectKind::non_manifold_edge, " is shared by more than two triangles"};
  EdgeDefect turned{DefectKind::inconsistent_winding, " has triangles that face different sides"};
  EdgeDefect open{DefectKind::open_boundary, " has no other triangle"};
  const std::vector<HalfEdge> half_edges = sorted_half_edges(list.ids, usable);
  for_each_edge(half_edges, [&](std::span<const HalfEdge> edge) {
    if (edge.size() == 1) open.edges.push_back(edge[0]);
    else if (edge.size() > 2) crowded.edges.push_back(edge[0]);
    else if (edge[0].forward == edge[1].forward) turned.edges.push_back(edge[0]);
  });
  for (EdgeDefect* found : {&crowded, &turned, &open}) {
    std::sort(found->edges.begin(), found->edges.end(),
              [](const HalfEdge& x, const HalfEdge& y) { return x.triangle < y.triangle; });
    std::vector<int> ids;
    for (const HalfEdge& edge : found->edges) ids.push_back(edge.triangle);
    if (!ids.empty()) add_defect(defects, found->kind, ids, edge_text(found->edges[0]) + found->problem);
  }
}

void check_sides(const TriangleMesh& mesh, const std::vector<bool>& solid, std::vector<Defect>& defects) {
  const Patches patches = find_patches(mesh.triangles, solid);
  const std::vector<bool> wrong = inside_out(mesh, patches);
  std::vector<int> ids;
  for (std::size_t i = 0; i < wrong.size(); ++i)
    if (wrong[i]) ids.push_back(patches.patches[i].first);
  if (!ids.empty())
    add_defect(defects, DefectKind::inside_out, ids,
               "the closed part around triangle " + std::to_string(ids[0]) + " faces inward");
}

/// "12 between components 0 and 1, 3 within component 2"
std::string where_text(const std::vector<std::array<int, 2>>& pairs, const std::vector<int>& component) {
  constexpr std::size_t shown = 4;
  std::map<std::array<int, 2>, int> counts;
  for (const auto& [s, t] : pairs) {
    const auto [low, high] = std::minmax(component[s], component[t]);
    ++counts[{low, high}];
  }
  std::string out;
  std::size_t k = 0;
  for (const auto& [which, count] : counts) {
    if (k++ == shown) return out + ", and so on for " + std::to_string(counts.size() - shown) + " more";
    const std::string a = std::to_string(which[0]), b = std::to_string(which[1]);
    out += (out.empty() ? "" : ", ") + std::to_string(count) +
           (which[0] == which[1] ? " within component " + a : " between components " + a + " and " + b);
  }
  return out;
}

// Vertices at one place count as one: a seam is no intersection.
void check_intersections(const TriangleMesh& mesh, const std::vector<bool>& solid, std::vector<Defect>& defects) {
  const std::vector<int> first = coincident_vertices(mesh.vertices);
  std::vector<int> welded(3 * solid.size());
  std::vector<bool> use = solid;
  for (std::size_t i = 0; i < welded.size(); ++i) welded[i] = solid[i / 3] ? first[mesh.triangles[i]] : -1;
  for (std::size_t t = 0; t < use.size(); ++t)
    if (welded[3 * t] == welded[3 * t + 1] || welded[3 * t + 1] == welded[3 * t + 2] ||
        welded[3 * t] == welded[3 * t + 2])
      use[t] = false;
  const IntersectingPairs found = intersecting_pairs(mesh.vertices, welded, use);
  if (found.pairs.empty()) {
    if (!found.complete)  // to say nothing would be to say that there are none
      defects.push_back({DefectKind::self_intersection,
                         0,
                         {},
                         "none was found, but the search was stopped: too many triangles lie close to each other"});
    return;
  }
  std::vector<int> ids;
  for (const auto& pair : found.pairs) ids.push_back(pair[0]);
  add_defect(defects, DefectKind::self_intersection, ids,
             "triangle " + std::to_string(found.pairs[0][0]) + " meets triangle " +
                 std::to_string(found.pairs[0][1]) +
                 "; pairs: " + where_text(found.pairs, triangle_components(mesh)) +
                 (found.complete ? "" : "; there are more, counting stopped"));
  std::vector<int>& examples = defects.back().examples;
  examples.erase(std::unique(examples.begin(), examples.end()), examples.end());
}

// Of a solid's surface, or of a shell.
std::vector<Defect> check_all(const TriangleMesh& mesh, bool shell) {
  std::vector<Defect> defects;
  const ElementList list = list_of(mesh);
  check_arrays(list, defects);
  const std::vector<bool> finite = check_vertices(list, defects);
  std::vector<bool> usable = check_indices(list, defects);
  std::vector<bool> solid = check_areas(list, usable, finite, defects);
  check_copies(list, usable, defects);
  for (std::size_t t = 0; t < solid.size(); ++t) solid[t] = solid[t] && usable[t];
  check_edges(list, usable, defects);
  if (!shell) check_sides(mesh, solid, defects), check_intersections(mesh, solid, defects);
  check_unreferenced(list, defects);
  if (!shell) check_coincident(list, defects);
  return defects;
}

}  // namespace

std::vector<int> triangle_components(const TriangleMesh& mesh) {
  const int n = mesh.vertex_count();
  DisjointSets parts(n);
  const auto known = [&](int v) { return v >= 0 && v < n; };
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3)
    for (std::size_t k = 1; k < 3; ++k)
      if (known(mesh.triangles[i]) && known(mesh.triangles[i + k]))
        parts.join(mesh.triangles[i], mesh.triangles[i + k]);
  std::vector<int> label(n, -1), out;
  int count = 0;
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
    if (!known(mesh.triangles[i])) {
      out.push_back(-1);
      continue;
    }
    int& l = label[parts.root(mesh.triangles[i])];
    if (l < 0) l = count++;
    out.push_back(l);
  }
  return out;
}

std::vector<Defect> check(const TriangleMesh& mesh) { return check_all(mesh, false); }

std::vector<Defect> check_shell(const TriangleMesh& mesh) {
  std::vector<Defect> defects = check_all(mesh, true);
  std::erase_if(defects, [](const Defect& defect) { return defect.kind == DefectKind::open_boundary; });
  return defects;
}

}  // namespace resilin
