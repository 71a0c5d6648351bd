// The search for the pairs of one cluster of the surface: boxes of neighbouring clusters, boxes of what is in them, closest points in
// packs of eight. A part of the clusters has its own lists, so parts are searched by any thread. Used by PairFinder.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/surface_tree.h"

namespace resilin {

/// What the search keeps of a pair. Edges: the points (1 - s) a0 + s a1 and (1 - t) b0 + t b1; triangle: a + s (b - a) + t (c - a).
struct FoundPair {
  double s, t, distance, normal[3];
};

/// Where the pairs of a vertex or an edge are in FoundPairs::order of its part.
struct FoundRange {
  int start = 0, count = 0;
};

struct FoundPairs {
  std::vector<FoundPair> pairs;
  /// (second << 32) + index in `pairs`, ascending within a range.
  std::vector<std::uint64_t> order;
  void clear() { pairs.clear(), order.clear(); }
};

/// Where results go; ranges[i] are written by the part that owns i only.
struct SearchTarget {
  std::vector<FoundRange> of_row, of_edge;
};

class PairSearch {
 public:
  FoundPairs vertex_triangle, edge_edge;

  void clear() { vertex_triangle.clear(), edge_edge.clear(); }
  /// All pairs whose first vertex or edge the cluster owns, with what `bodies` have.
  void search(const SurfaceTree& tree, int cluster, std::span<const int> bodies, double radius,
              SearchTarget& target);

 private:
  void collect_neighbours(const SurfaceTree& tree, const Cluster& cluster, std::span<const int> bodies,
                          float limit);
  void collect_triangles(const SurfaceTree& tree, const Cluster& cluster, float limit);
  void collect_edges(const SurfaceTree& tree, const Cluster& cluster, float limit);
  template <class Kind>
  void measure(const SurfaceTree& tree, double radius, FoundPairs& found, std::vector<FoundRange>& ranges);
  void make_room(int more);

  std::vector<int> neighbours_;
  AlignedVector<BoxPack> neighbour_boxes_;
  int neighbour_triangles_ = 0, neighbour_edges_ = 0;  // the most candidates that one vertex or edge may have
  // Candidates, those of one vertex or edge side by side: rows and triangle slots, or two edge slots. Slot = 8 pack + lane.
  std::vector<int> first_, second_;
  int count_ = 0;
};

}  // namespace resilin
