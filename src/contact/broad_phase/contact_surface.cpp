#include "contact/broad_phase/contact_surface.h"

#include <algorithm>
#include <cassert>

namespace resilin {
namespace {

std::array<int, 2> ascending(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// Rows from (row, id) pairs that come with ascending ids.
Adjacency rows_of(int rows, std::span<const std::array<int, 2>> pairs) {
  Adjacency out;
  out.start.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& [row, id] : pairs) ++out.start[row + 1];
  for (int i = 0; i < rows; ++i) out.start[i + 1] += out.start[i];
  out.ids.resize(pairs.size());
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (const auto& [row, id] : pairs) out.ids[next[row]++] = id;
  return out;
}

void add_body(ContactSurface& surface, const Body& body, int index) {
  for (int v = body.first_vertex; v < body.end_vertex(); ++v) surface.body[v] = index;
  for (std::size_t i = 0; i + 2 < body.triangles.size(); i += 3) {
    const int a = body.triangles[i], b = body.triangles[i + 1], c = body.triangles[i + 2];
    surface.triangles.push_back({a, b, c});
    surface.triangle_body.push_back(index);
    for (const auto& edge : {ascending(a, b), ascending(b, c), ascending(c, a)}) surface.edges.push_back(edge);
    surface.vertices.insert(surface.vertices.end(), {a, b, c});
  }
  if (!body.triangles.empty()) return;
  for (std::size_t i = 0; i + 1 < body.edges.size(); i += 2) {
    surface.edges.push_back(ascending(body.edges[i], body.edges[i + 1]));
    surface.vertices.insert(surface.vertices.end(), {body.edges[i], body.edges[i + 1]});
  }
  if (!body.edges.empty() || !body.tets.empty()) return;
  for (int v = body.first_vertex; v < body.end_vertex(); ++v) surface.vertices.push_back(v);
}

template <class T>
void keep_each_once(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

int ContactSurface::edge_of(int a, int b) const {
  const std::array<int, 2> wanted = ascending(a, b);
  const auto found = std::lower_bound(edges.begin(), edges.end(), wanted);
  return found != edges.end() && *found == wanted ? static_cast<int>(found - edges.begin()) : -1;
}

ContactSurface contact_surface(const Model& model) {
  ContactSurface out;
  out.vertex_count = model.vertex_count();
  out.body_count = static_cast<int>(model.bodies.size());
  out.body.assign(out.vertex_count, -1);
  for (int b = 0; b < out.body_count; ++b) add_body(out, model.bodies[b], b);
  keep_each_once(out.edges), keep_each_once(out.vertices);
  for (const auto& edge : out.edges) out.edge_body.push_back(out.body[edge[0]]);

  std::vector<std::array<int, 2>> of_edge, of_vertex;
  for (int t = 0; t < out.triangle_count(); ++t) {
    const std::array<int, 3>& ids = out.triangles[t];
    out.triangle_edges.push_back(
        {out.edge_of(ids[0], ids[1]), out.edge_of(ids[1], ids[2]), out.edge_of(ids[2], ids[0])});
    for (int k = 0; k < 3; ++k) {
      assert(out.body[ids[k]] == out.triangle_body[t] && "a triangle must have the vertices of its own body");
      of_edge.push_back({out.triangle_edges[t][k], t});
      of_vertex.push_back({ids[k], t});
    }
  }
  out.edge_triangles = rows_of(out.edge_count(), of_edge);
  out.vertex_triangles = rows_of(out.vertex_count, of_vertex);
  out.on_border.assign(out.vertex_count, 0);
  for (int e = 0; e < out.edge_count(); ++e)
    if (out.edge_triangles[e].size() < 2)
      for (const int v : out.edges[e]) out.on_border[v] = 1;
  return out;
}

}  // namespace resilin
