// How much each handle moves each vertex (Brandt et al. Sec. 4, with X29 and X30 of docs/theory/corrections.md):
//
//   w_ij = b(d_ij/r_j) / sum_j b(d_ij/r_j),     b(s) = 1 - 3 s^2 + 2 s^3 on [0, 1], else 0
//
// d_ij is the distance through the mesh. Not negative, compact, a partition of unity; a vertex that no handle
// covers follows the nearest one.
#pragma once
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "reduction/geodesic.h"

namespace resilin {

/// By vertex, handles ascending.
struct HandleWeights {
  std::vector<std::int64_t> start = {0};
  std::vector<int> handle;
  std::vector<double> weight;
  int vertices() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> handles_of(int v) const { return {handle.data() + start[v], count(v)}; }
  std::span<const double> weights_of(int v) const { return {weight.data() + start[v], count(v)}; }
  std::size_t count(int v) const { return start[v + 1] - start[v]; }
  /// Appends what `from` has of vertex v to the last vertex, which begins at start.back().
  void append(const HandleWeights& from, int v) {
    handle.insert(handle.end(), from.handles_of(v).begin(), from.handles_of(v).end());
    weight.insert(weight.end(), from.weights_of(v).begin(), from.weights_of(v).end());
  }
  void end_vertex() { start.push_back(static_cast<std::int64_t>(handle.size())); }
};

/// `handles`: vertices, at least one in each component; one radius for each component.
HandleWeights handle_weights(const EdgeGraph& graph, std::span<const int> handles, std::span<const double> radius,
                             ThreadPool& pool);

}  // namespace resilin
