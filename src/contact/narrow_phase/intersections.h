// Edges that pass through triangles: the judge of contact. Decided by the exact signs of determinants.
#pragma once
#include <vector>

#include "contact/broad_phase/cluster_pairs.h"
#include "contact/broad_phase/surface_tree.h"
#include "core/thread_pool.h"

namespace resilin {

struct Intersection {
  int edge, triangle;  // of the surface
  auto operator<=>(const Intersection&) const = default;
};

class IntersectionFinder {
 public:
  /// `rest`: 3 per vertex of the model; the tree is cut by it. `surface` must stay.
  IntersectionFinder(const ContactSurface& surface, const double* rest);

  /// All crossings at `x` (3 per vertex of the model), ascending. The ends of the edge lie strictly on both sides
  /// of the triangle's plane and the edge passes strictly through its inside: what touches, or lies in one plane,
  /// does not count, and neither does an edge that has a vertex in common with the triangle. Returns false, and
  /// none, when a position is not finite or larger than 1e15.
  [[nodiscard]] bool find(const double* x, ThreadPool& pool, std::vector<Intersection>& out);

 private:
  struct Part {
    ClusterPairs near;
    std::vector<Intersection> found;
  };
  void search(const Cluster& cluster, Part& part) const;

  SurfaceTree tree_;
  Adjacency near_bodies_;
  std::vector<Part> parts_;
};

/// The same once. Throws InputError when a position is not finite.
std::vector<Intersection> crossings(const ContactSurface& surface, const double* x);

}  // namespace resilin
