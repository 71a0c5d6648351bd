// Triangles on the same three vertices: which of them stay. Between the check of surfaces and its repair: both must
// agree on it.
#pragma once
#include <span>
#include <utility>
#include <vector>

namespace resilin {

struct TriangleCopies {
  std::vector<std::pair<int, int>> repeated;  // ascending: (triangle, the one that stays and that it repeats)
  std::vector<int> opposite;                  // ascending: pairs that face opposite sides; both go
  /// No longer uses them.
  void drop_from(std::vector<bool>& use) const;
};

/// Opposite triangles enclose nothing and cancel in pairs, as in a sum of oriented triangles; of equal ones the
/// first stays. Where cancelling would open more edges than it closes, the second of a pair is a repetition that
/// faces the wrong side: the first stays. Pairs joined by edges that no other triangle has are decided together. A
/// surface of nothing but pairs is a sheet that was written with both sides: the first of each pair stays. Only
/// triangles with use[t] count.
TriangleCopies find_copies(std::span<const int> triangles, const std::vector<bool>& use);

}  // namespace resilin
