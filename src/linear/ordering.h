// Fill-reducing orderings of a graph: METIS nested dissection, and an own one (level-set dissection with minimum
// degree at the leaves) for when METIS fails. Called by the symbolic analysis; knows graphs only, no values.
#pragma once
#include <vector>

namespace resilin {

class SymmetricMatrix;

/// Undirected graph without loops: every edge is stored at both ends.
struct Graph {
  std::vector<int> start = {0}, neighbour;
  int size() const { return static_cast<int>(start.size()) - 1; }
};

enum class OrderingMethod { metis, builtin };

Graph graph_of(const SymmetricMatrix& a);
/// The graph in which order[i] of the old one is called i.
Graph permuted(const Graph& graph, const std::vector<int>& order);
/// order[i] = the vertex to eliminate as number i. Deterministic. METIS falls back to the built-in method on
/// failure.
std::vector<int> fill_reducing_order(const Graph& graph, OrderingMethod method = OrderingMethod::metis);

/// parent[j] of the elimination tree of a graph eliminated in the order 0, 1, ...; -1 at roots.
std::vector<int> elimination_tree(const Graph& graph);
/// order[i] = the vertex with number i in a postorder of the forest (every subtree gets consecutive numbers).
std::vector<int> postorder(const std::vector<int>& parent);
std::vector<int> inverse(const std::vector<int>& order);

}  // namespace resilin
