// Points that are spread evenly over a mesh: each next one is where the distance to all before it is largest
// (furthest point sampling). What no point has reached yet is infinitely far, so every connected component gets its
// first point before any gets its second. A search ends where earlier points are nearer. Deterministic: the seed
// chooses the first point, ties go to the smaller id.
#pragma once
#include <optional>
#include <queue>
#include <vector>

#include "reduction/geodesic.h"

namespace resilin {

/// What is furthest comes first in a queue.
struct Furthest {
  double distance;
  int id;
  bool operator<(const Furthest& other) const {
    return distance != other.distance ? distance < other.distance : id > other.id;
  }
};

class FurthestVertices {
 public:
  /// The graph must outlive this.
  FurthestVertices(const EdgeGraph& graph, int seed);
  /// Chooses until there are `count`, or no vertex is left.
  void extend(int count);

  /// Chooses all vertices of components that have no more than `share` for each that was chosen.
  void complete(int share);

  /// In the order in which they were chosen.
  const std::vector<int>& chosen() const { return chosen_; }
  /// Of each vertex to the nearest one.
  const std::vector<double>& distance() const { return distance_; }
  /// The largest distance in each connected component of the graph.
  std::vector<double> radius_of_covering() const;

 private:
  void take(int vertex);

  const EdgeGraph& graph_;
  GeodesicSearch search_;
  int first_ = 0;
  std::vector<int> chosen_;
  std::vector<char> taken_;
  std::vector<double> distance_;
  std::priority_queue<Furthest> queue_;  // distances may be old: they only shrink
};

/// Some elements, ascending; none: all.
using Members = std::optional<std::span<const int>>;
/// The elements at each vertex, ascending; one that has a corner twice stands there twice.
Adjacency elements_at(const Elements& elements, int vertices, Members members = {});

/// Elements spread over those of a term; the distance of an element is the mean of its corners'.
struct ElementSamples {
  std::vector<int> element;     // in the order in which they were chosen
  std::vector<double> measure;  // of the elements that each stands for, those nearest to it; the sum is that of all
};
/// Begins with an element at each of the vertices `first` that has one. All elements when there are no more than
/// `count`, in their order.
ElementSamples furthest_elements(const EdgeGraph& graph, const Elements& elements, std::span<const int> first,
                                 int count);

}  // namespace resilin
