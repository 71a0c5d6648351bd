#include "reduction/geodesic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace resilin {
namespace {

class Sets {
 public:
  explicit Sets(int count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int find(int v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  bool join(int a, int b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<int> parent_;
};

// All corners of these are joined by edges of the mesh.
bool is_cell(ElementKind kind) {
  return kind == ElementKind::tet || kind == ElementKind::triangle || kind == ElementKind::edge;
}

}  // namespace

EdgeGraph edge_graph(const Model& model) {
  std::vector<std::pair<int, int>> edges;
  Sets sets(model.vertex_count());
  for (const Term& term : model.terms) {
    if (!is_cell(term.elements.kind())) continue;
    for (int i = 0; i < term.elements.size(); ++i) {
      const auto ids = term.elements.vertices(i);
      for (std::size_t a = 0; a < ids.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
          edges.emplace_back(ids[a], ids[b]);
          sets.join(ids[a], ids[b]);
        }
    }
  }
  // A hinge spans a fold, so its far corners are no edge: it counts only where there is no other way.
  for (const Term& term : model.terms) {
    if (is_cell(term.elements.kind())) continue;
    for (int i = 0; i < term.elements.size(); ++i) {
      const auto ids = term.elements.vertices(i);
      for (std::size_t a = 1; a < ids.size(); ++a)
        if (sets.join(ids[0], ids[a])) edges.emplace_back(ids[0], ids[a]);
    }
  }
  return edge_graph(model.rest, edges);
}

EdgeGraph edge_graph(std::span<const double> rest, std::span<const std::pair<int, int>> edges) {
  const std::size_t n = rest.size() / 3;
  EdgeGraph out;
  out.position.assign(4 * n, 0.0);
  for (std::size_t v = 0; v < n; ++v) std::copy_n(&rest[3 * v], 3, &out.position[4 * v]);
  std::vector<std::int64_t> start(n + 1, 0);  // with repeated neighbours
  Sets sets(static_cast<int>(n));
  for (const auto& [a, b] : edges)
    if (a != b) ++start[a + 1], ++start[b + 1], sets.join(a, b);
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> all(static_cast<std::size_t>(start.back()));
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  for (const auto& [a, b] : edges)
    if (a != b) all[next[a]++] = b, all[next[b]++] = a;
  out.start.assign(1, 0);
  for (std::size_t v = 0; v < n; ++v) {
    const auto first = all.begin() + start[v], last = all.begin() + start[v + 1];
    std::sort(first, last);
    out.neighbour.insert(out.neighbour.end(), first, std::unique(first, last));
    out.start.push_back(static_cast<int>(out.neighbour.size()));
  }
  out.component.assign(n, -1);
  for (int v = 0; v < static_cast<int>(n); ++v) {
    const int root = sets.find(v);  // the smallest of its set
    out.component[v] = root == v ? out.components++ : out.component[root];
  }
  return out;
}

GeodesicSearch::GeodesicSearch(const EdgeGraph& graph, int window)
    : graph_(graph), window_(window), node_(static_cast<std::size_t>(graph.size()), Node{0, -1, 0}) {}

// The least of d(a) + |x_to - x_a| over the last vertices a of the path to `from`.
double GeodesicSearch::unfold(int from, int to) const {
  const double* x = &graph_.position[4 * static_cast<std::size_t>(to)];
  double least = std::numeric_limits<double>::infinity();
  for (int a = from, left = window_; a >= 0 && left > 0; a = node_[a].parent, --left) {
    const double* y = &graph_.position[4 * static_cast<std::size_t>(a)];
    const double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
    least = std::min(least, node_[a].distance + std::sqrt(dx * dx + dy * dy + dz * dz));
  }
  return least;
}

void GeodesicSearch::offer(int v, double distance, int parent, double radius, const double* bound) {
  Node& node = node_[v];
  if (!(distance <= radius) || (bound != nullptr && !(distance < bound[v]))) return;
  if (node.mark >= 2 * run_ && !(distance < node.distance)) return;
  node = {distance, parent, 2 * run_};
  heap_.push_back({distance, v});
  std::push_heap(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) {
    return a.distance != b.distance ? a.distance > b.distance : a.vertex > b.vertex;
  });
}

std::span<const int> GeodesicSearch::run(std::span<const Source> sources, double radius, const double* bound) {
  if (++run_ == 1u << 31) {  // marks are used up
    for (Node& node : node_) node.mark = 0;
    run_ = 1;
  }
  heap_.clear(), settled_.clear();
  for (const Source& source : sources) offer(source.vertex, source.distance, -1, radius, bound);
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) {
      return a.distance != b.distance ? a.distance > b.distance : a.vertex > b.vertex;
    });
    const int v = heap_.back().vertex;
    heap_.pop_back();
    if (node_[v].mark == 2 * run_ + 1) continue;
    node_[v].mark = 2 * run_ + 1;
    settled_.push_back(v);
    for (const int u : graph_.neighbours(v))
      if (node_[u].mark != 2 * run_ + 1) offer(u, unfold(v, u), v, radius, bound);
  }
  return settled_;
}

}  // namespace resilin
