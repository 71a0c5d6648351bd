// The search for the pairs of one cluster of the surface: boxes of neighbouring clusters, boxes of what is in them,
// closest points in packs of eight. A part of the clusters has its own lists, so parts are searched by any thread.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "contact/broad_phase/cluster_pairs.h"
#include "contact/broad_phase/surface_tree.h"

namespace resilin {

/// What the search keeps of a pair. Edges: the points (1 - s) a0 + s a1 and (1 - t) b0 + t b1; triangle: a + s (b -
/// a) + t (c - a).
enum FoundValue { found_s, found_t, found_distance, found_normal };  // and two more of the normal
constexpr int found_values = 6;

/// Where the pairs of a vertex or an edge are in FoundPairs::order of its part.
struct FoundRange {
  int start = 0, count = 0;
};

struct FoundPair {
  double s, t, distance, normal[3];
};

struct FoundPairs {
  int count = 0;
  std::vector<double> values[found_values];
  /// (second << 32) + index in `values`, ascending within a range.
  std::vector<std::uint64_t> order;
  void clear() { count = 0; }
  /// Into the cache: the lists of all parts together are larger than what is near.
  void prefetch(FoundRange range) const {
    for (const auto& list : values) __builtin_prefetch(list.data() + range.start);
    __builtin_prefetch(order.data() + range.start);
  }
  FoundPair pair(std::size_t i) const {
    return {values[found_s][i],
            values[found_t][i],
            values[found_distance][i],
            {values[found_normal][i], values[found_normal + 1][i], values[found_normal + 2][i]}};
  }
  /// For `more` and the rubbish behind them.
  void make_room(int more);
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
  /// `clusters`: unless empty, which two are looked at.
  using Clusters = std::function<bool(int a, int b)>;
  void search(const SurfaceTree& tree, int cluster, std::span<const int> bodies, double radius,
              const Clusters& clusters, SearchTarget& target);

 private:
  void collect_triangles(const SurfaceTree& tree, const Cluster& cluster, float limit);
  void collect_edges(const SurfaceTree& tree, const Cluster& cluster, float limit);
  template <class Kind>
  void measure(const SurfaceTree& tree, double radius, FoundPairs& found, FoundRange* ranges);

  ClusterPairs near_;
  // Candidates, those of one vertex or edge side by side.
  struct Candidates {
    int count = 0;
    std::vector<int> first, second;  // ids; of a vertex its row
    std::vector<int> rows[4];        // of positions
    /// For `more` and the rubbish behind them.
    void make_room(int more);
  };
  Candidates candidates_;
};

}  // namespace resilin
