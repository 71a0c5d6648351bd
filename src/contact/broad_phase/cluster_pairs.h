// The clusters near one cluster, with their boxes side by side: what its vertices and edges are searched against.
// Kept by a part of the search from cluster to cluster, so that nothing is allocated in a steady run.
#pragma once
#include <span>
#include <vector>

#include "contact/broad_phase/surface_tree.h"

namespace resilin {

class ClusterPairs {
 public:
  /// Those of `bodies` whose box may be closer to `box` than the radius of `limit`.
  void collect(const SurfaceTree& tree, const FloatBox& box, std::span<const int> bodies, float limit) {
    collect(tree, box, bodies, limit, [](int) { return true; });
  }
  /// Of these, by their indices, those that are `wanted`.
  template <class Wanted>
  void collect(const SurfaceTree& tree, const FloatBox& box, std::span<const int> bodies, float limit,
               Wanted&& wanted) {
    clusters_.clear();
    groups_.clear();
    triangles_ = edges_ = 0;
    for (const int body : bodies)
      tree.visit_near(body, box, limit, [&](int index) {
        if (wanted(index)) add(tree.clusters()[index]);
      });
  }

  /// No vertex or edge is near more triangles or edges than this.
  int triangles() const { return triangles_; }
  int edges() const { return edges_; }

  /// Calls visit(cluster) for those that may be near `box` and have an edge with a larger id than `edge`; in a
  /// fixed order.
  template <class Visit>
  RESILIN_INLINE void visit(const FloatBox& box, float limit, int edge, Visit&& visit) const {
    for (std::size_t i = 0; i < groups_.size(); ++i)
      for (unsigned bits = lane_bits(near(groups_[i].boxes, box, limit) & (groups_[i].last_edge > edge)); bits != 0;
           bits &= bits - 1)
        visit(*clusters_[lanes * i + static_cast<std::size_t>(__builtin_ctz(bits))]);
  }
  static constexpr int any_edge = -2;

 private:
  struct Group {
    BoxPack boxes;
    Int8 last_edge;
  };

  void add(const Cluster& cluster) {
    const int lane = static_cast<int>(clusters_.size()) % lanes;
    if (lane == 0) {
      groups_.emplace_back();
      groups_.back().boxes.clear();
    }
    groups_.back().boxes.set(lane, cluster.box);
    groups_.back().last_edge[lane] = cluster.last_edge;
    triangles_ += lanes * (cluster.triangles_end - cluster.first_triangles);
    edges_ += lanes * (cluster.edges_end - cluster.first_edges);
    clusters_.push_back(&cluster);
  }

  std::vector<const Cluster*> clusters_;
  AlignedVector<Group> groups_;
  int triangles_ = 0, edges_ = 0;
};

}  // namespace resilin
