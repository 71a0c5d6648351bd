// The pairs of surface parts that are near each other: a vertex and a triangle, or two edges. Every search looks at
// the positions alone: the list depends neither on earlier searches nor on the number of threads. Called by
// contact; it knows no forces. See docs/theory/contact.md.
#pragma once
#include <array>
#include <vector>

#include "contact/broad_phase/surface_tree.h"
#include "contact/narrow_phase/pair_search.h"
#include "core/thread_pool.h"

namespace resilin {

struct ContactPair {
  enum Kind : int { vertex_triangle, edge_edge };
  Kind kind;
  int first;   // side A: a vertex (id of the model) or an edge (of the surface)
  int second;  // side B: a triangle, or an edge > first
  /// Of side A, then of side B.
  std::array<int, 4> vertices;
  /// The closest points of both sides: p_A - p_B = sum_i weight[i] x[vertices[i]]. Vertex 1 and triangle -b0, -b1,
  /// -b2; or edges 1 - s, s and t - 1, -t.
  double weight[4];
  double distance;   // |p_A - p_B|
  double normal[3];  // unit, from p_B to p_A; where they coincide, across both
  bool operator==(const ContactPair&) const = default;
};

class PairFinder {
 public:
  /// Empty: all bodies, with themselves too. It is asked from the calling thread.
  using Bodies = SurfaceTree::Bodies;
  /// `rest`: 3 per vertex of the model; the trees are cut by it. `surface` must stay.
  /// `clusters`: unless empty, which two clusters of SurfaceTree are looked at; asked from any thread.
  using Clusters = PairSearch::Clusters;
  PairFinder(const ContactSurface& surface, const double* rest, Bodies bodies = {}, Clusters clusters = {});

  /// All vertex-triangle pairs (a vertex that is no corner of the triangle) by (vertex, triangle), then all
  /// edge-edge pairs (edges without a common vertex) by (first, second), whose distance at `x` (3 per vertex of the
  /// model) is less than `radius`. Returns false, and no pairs, when a position is not finite or larger than 1e15.
  [[nodiscard]] bool find(const double* x, double radius, ThreadPool& pool, std::vector<ContactPair>& out);

  /// Of the last call.
  struct Seconds {
    double refit = 0, search = 0, write = 0;
  };
  const Seconds& seconds() const { return seconds_; }

 private:
  void write(ThreadPool& pool, std::vector<ContactPair>& out);
  ContactPair* write_vertex(int index, ContactPair* to) const;
  ContactPair* write_edge(int edge, ContactPair* to) const;

  const ContactSurface& surface_;
  Bodies bodies_;
  Clusters clusters_;
  SurfaceTree tree_;
  std::vector<int> row_of_vertex_;  // of each of surface_.vertices
  std::vector<int> part_of_row_, part_of_edge_;
  Adjacency partners_;
  SearchTarget found_;
  std::vector<PairSearch> searches_;
  std::vector<std::size_t> starts_;
  Seconds seconds_;
};

}  // namespace resilin
