// A tree of boxes for each body's part of the contact surface. Its leaves are clusters of about sixteen
// neighbouring triangles; every edge and vertex belongs to one cluster that touches it. A node has eight children,
// which one test of eight boxes looks at. The topology is cut once, by the rest shape; boxes follow the positions.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "contact/broad_phase/contact_surface.h"
#include "contact/broad_phase/float_boxes.h"
#include "core/aligned.h"
#include "core/thread_pool.h"

namespace resilin {

/// Eight edges or triangles of a cluster, ascending; -1 and empty boxes fill up the last pack.
template <int Corners>
struct PartPack {
  Int8 id, corners[Corners];  // corners: rows of positions
  BoxPack boxes;
};
using EdgePack = PartPack<2>;
using TrianglePack = PartPack<3>;

/// visit(pack, lane) of the edges or triangles in packs [first, end).
template <class Packs, class Visit>
void each_part(Packs& packs, int first, int end, Visit&& visit) {
  for (int i = first; i < end; ++i)
    for (int l = 0; l < lanes && packs[i].id[l] >= 0; ++l) visit(packs[i], l);
}

struct Cluster {
  int body;
  int first_edges, edges_end;          // packs
  int first_triangles, triangles_end;  // packs
  int first_row, rows_end;             // its vertices
  int last_edge;                       // the largest id; -1: it has none
  FloatBox box;
};

class SurfaceTree {
 public:
  SurfaceTree(const ContactSurface& surface, const double* rest);

  /// Takes positions (3 per vertex of the model). False: one is not finite or larger than 1e15.
  bool refit(const double* x, ThreadPool& pool);

  const AlignedVector<EdgePack>& edges() const { return edges_; }
  const AlignedVector<TrianglePack>& triangles() const { return triangles_; }
  const AlignedVector<Cluster>& clusters() const { return clusters_; }
  /// Positions of the surface's vertices, four numbers each, and the vertex of each row.
  const double* positions() const { return positions_.data(); }
  const std::vector<int>& vertex_of_row() const { return vertex_of_row_; }
  const FloatBox& row_box(int row) const { return row_boxes_[row]; }

  /// Whether bodies a <= b are looked at (a == b: a body against itself).
  using Bodies = std::function<bool(int a, int b)>;
  /// Row a of `out`: the bodies, itself among them, whose boxes may be closer to that of a than the radius of
  /// `limit`, if `wanted` (empty: all) has them.
  void near_bodies(float limit, const Bodies& wanted, Adjacency& out) const;

  /// Calls visit(cluster) for those of a body whose box may be closer to `query` than the radius of `limit`, in a
  /// fixed order.
  template <class Visit>
  void visit_near(int body, const FloatBox& query, float limit, Visit&& visit) const {
    struct Entry {
      int level, pack;
    };
    Entry stack[8 * max_levels];
    int size = 0;
    const BodyTree& tree = trees_[body];
    if (tree.levels > 0) stack[size++] = {tree.levels - 1, 0};
    while (size > 0) {
      const auto [level, pack] = stack[--size];
      unsigned bits = lane_bits(near(nodes_[tree.first_pack[level] + pack], query, limit));
      for (; bits != 0; bits &= bits - 1) {
        const int child = lanes * pack + __builtin_ctz(bits);
        if (level == 0) visit(tree.first_cluster + child);
        else stack[size++] = {level - 1, child};
      }
    }
  }

 private:
  static constexpr int max_levels = 11;  // 8^11 clusters
  struct BodyTree {
    int first_cluster = 0, clusters = 0, levels = 0;
    int first_pack[max_levels] = {};  // of each level in nodes_; level 0 has the clusters' boxes
  };

  void make_levels(std::span<const int> first_cluster);
  bool take_positions(const double* x, int first_row, int rows_end);
  void refit_cluster(Cluster& cluster);
  void refit_levels(int body);

  std::vector<int> vertex_of_row_;
  AlignedVector<double> positions_;
  AlignedVector<FloatBox> row_boxes_;
  AlignedVector<EdgePack> edges_;
  AlignedVector<TrianglePack> triangles_;
  AlignedVector<Cluster> clusters_;
  std::vector<BodyTree> trees_;
  AlignedVector<BoxPack> nodes_, bodies_;
};

}  // namespace resilin
