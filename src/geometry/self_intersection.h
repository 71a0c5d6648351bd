// Which triangles of a surface pass through each other. Decided by the exact signs of determinants, so that flat,
// folded and touching triangles are told apart whatever their size. Used by check(); it knows nothing of defects.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "resilin/mesh.h"

namespace resilin {

/// The sign of det(b - a, c - a, d - a), exact for finite input that neither overflows nor underflows.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

using Corners = std::array<Vec3, 3>;
/// Whether two triangles that share no vertex have a point in common. Neither may be a point or a line.
bool triangles_intersect(const Corners& p, const Corners& q);

struct IntersectingPairs {
  std::vector<std::array<int, 2>> pairs;  // (smaller, larger), ascending
  bool complete = true;                   // false: there was no end to them, the rest was not looked at
};

/// Pairs of triangles that have a point in common besides the vertices and the edge they share. Triangles on the
/// same three vertices are no pair. Only triangles with `use[t]` are looked at; their ids must be in range, their
/// vertices finite.
IntersectingPairs intersecting_pairs(std::span<const double> vertices, std::span<const int> triangles,
                                     const std::vector<bool>& use);

}  // namespace resilin
