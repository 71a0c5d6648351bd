// The edges of a surface, and its patches: triangles joined across edges that exactly two of them share. Within a
// patch "the same side" has a meaning, so that it can be asked whether neighbours agree and whether it faces
// outward. Used by the check of surfaces and by its repair.
#pragma once
#include <compare>
#include <span>
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

struct HalfEdge {
  int a, b;      // ascending vertex ids
  int triangle;  // owner
  bool forward;  // the triangle runs from a to b
  auto operator<=>(const HalfEdge&) const = default;
  bool same_vertices(const HalfEdge& o) const { return a == o.a && b == o.b; }
};

/// Three per triangle with use[t], ascending: those of one edge are neighbours.
std::vector<HalfEdge> sorted_half_edges(std::span<const int> triangles, const std::vector<bool>& use);

/// Calls visit(half-edges of one edge) for each edge, in ascending order.
template <class Visit>
void for_each_edge(std::span<const HalfEdge> half_edges, Visit&& visit) {
  for (std::size_t i = 0, end; i < half_edges.size(); i = end) {
    for (end = i + 1; end < half_edges.size() && half_edges[end].same_vertices(half_edges[i]);) ++end;
    visit(half_edges.subspan(i, end - i));
  }
}

struct Patch {
  int first = 0;           // triangle
  bool closed = true;      // all edges have two triangles
  bool consistent = true;  // neighbours face the same side
  bool one_sided = false;  // like a Moebius strip: they cannot
};

struct Patches {
  std::vector<Patch> patches;    // by their first triangle
  std::vector<int> of_triangle;  // -1: not used
  std::vector<bool> turned;      // triangles that face another side than most of their patch
};
Patches find_patches(std::span<const int> triangles, const std::vector<bool>& use);

/// Which patches are closed, consistent, of negative volume and not inside of another closed patch (a cavity is).
/// Vertices of used triangles must be finite.
std::vector<bool> inside_out(const TriangleMesh& mesh, const Patches& patches);

}  // namespace resilin
