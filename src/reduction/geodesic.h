// Distances along a mesh by the short-term-vector Dijkstra method (Campen et al. 2013). Dijkstra's algorithm
// measures paths along edges, which are up to a third too long and stay so on finer meshes. Here the candidate for
// a vertex q is the least of
//
//   d(a) + |x_q - x_a|      a = the last 1, 2, ..., `window` vertices of the path to q
//
// the sum of the last edge vectors in place of the sum of their lengths. Flat parts are crossed nearly straight; a
// bend is cut by no more than a window. It knows edges, not elements.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "resilin/model.h"

namespace resilin {

/// Vertices with the edges of tets, triangles and springs. Elements of other kinds join what nothing else does.
struct EdgeGraph {
  std::vector<double> position;       // rows of 4, the fourth entry is zero
  std::vector<int> start, neighbour;  // of vertex v: start[v] .. start[v + 1] - 1, ascending
  std::vector<int> component;         // of each vertex: 0, 1, ... in the order of their first vertices
  int components = 0;
  int size() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> neighbours(int v) const {
    return std::span(neighbour).subspan(start[v], start[v + 1] - start[v]);
  }
};
EdgeGraph edge_graph(const Model& model);
/// Of edges given as pairs, repeated ones allowed.
EdgeGraph edge_graph(std::span<const double> rest, std::span<const std::pair<int, int>> edges);

class GeodesicSearch {
 public:
  static constexpr int default_window = 6;

  /// The graph must outlive this. window 1 is Dijkstra's algorithm.
  explicit GeodesicSearch(const EdgeGraph& graph, int window = default_window);

  struct Source {
    int vertex;
    double distance;
  };
  /// The vertices within `radius` of the sources, in the order in which they were settled; valid until the next
  /// run. With `bound` only those that are nearer than bound[v], and what is reached through them.
  std::span<const int> run(std::span<const Source> sources, double radius, const double* bound = nullptr);
  /// Of a vertex that the last run has reached.
  double distance(int v) const { return node_[v].distance; }

 private:
  struct Node {
    double distance;
    int parent;          // -1: a source
    int place;           // in the heap
    std::uint32_t mark;  // of the run that saw it: 2 run, and 2 run + 1 once it is settled
  };
  class Path;
  bool nearer(int a, int b) const {
    return node_[a].distance != node_[b].distance ? node_[a].distance < node_[b].distance : a < b;
  }
  void offer(int v, double distance, int parent);
  void rise(int place);
  int pop();

  const EdgeGraph& graph_;
  int window_;
  double radius_ = 0;
  const double* bound_ = nullptr;
  std::uint32_t run_ = 0;
  std::vector<Node> node_;
  std::vector<int> heap_;  // with four children each
  std::vector<int> settled_;
};

}  // namespace resilin
