#include "reduction/geodesic.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "simd/pack.h"

namespace resilin {
namespace {

class Sets {
 public:
  explicit Sets(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
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
        for (std::size_t b = 0; b < a; ++b) edges.emplace_back(ids[a], ids[b]), sets.join(ids[a], ids[b]);
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
  std::vector<int> all(start.back());
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

// The last vertices of the path to a settled one, in lanes; empty ones are infinitely far.
class GeodesicSearch::Path {
 public:
  Path(const GeodesicSearch& search, int last) {
    int count = 0;
    for (int a = last; a >= 0 && count < search.window_; a = search.node_[a].parent, ++count) {
      const double* y = &search.graph_.position[4 * a];
      for (int k = 0; k < 3; ++k) at_[k][count] = y[k];
      distance_[count] = search.node_[a].distance;
    }
    for (; count < lanes; ++count) distance_[count] = std::numeric_limits<double>::infinity();
  }
  /// The least of d(a) + |x - x_a|.
  double unfold(const double* x) const {
    const Pack dx = load(at_[0]) - x[0], dy = load(at_[1]) - x[1], dz = load(at_[2]) - x[2];
    alignas(64) double all[lanes];
    store(all, load(distance_) + sqrt(dx * dx + dy * dy + dz * dz));
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) all[i] = std::min(all[i], all[i + half]);
    return all[0];
  }

 private:
  alignas(64) double at_[3][lanes] = {}, distance_[lanes];
};

GeodesicSearch::GeodesicSearch(const EdgeGraph& graph, int window)
    : graph_(graph), window_(std::min(window, lanes)), node_(graph.size(), Node{0, -1, 0, 0}) {}

void GeodesicSearch::rise(int place) {
  const int v = heap_[place];
  while (place > 0 && nearer(v, heap_[(place - 1) / 4])) {
    heap_[place] = heap_[(place - 1) / 4];
    node_[heap_[place]].place = place;
    place = (place - 1) / 4;
  }
  heap_[place] = v, node_[v].place = place;
}

int GeodesicSearch::pop() {
  const int top = heap_[0], last = heap_.back();
  heap_.pop_back();
  const int size = static_cast<int>(heap_.size());
  int place = 0;
  for (int child = 1; child < size; child = 4 * place + 1) {
    int least = child;
    for (int c = child + 1; c < std::min(child + 4, size); ++c)
      if (nearer(heap_[c], heap_[least])) least = c;
    if (!nearer(heap_[least], last)) break;
    heap_[place] = heap_[least];
    node_[heap_[place]].place = place;
    place = least;
  }
  if (size > 0) heap_[place] = last, node_[last].place = place;
  return top;
}

void GeodesicSearch::offer(int v, double distance, int parent) {
  Node& node = node_[v];
  if (!(distance <= radius_) || (bound_ != nullptr && !(distance < bound_[v]))) return;
  if (node.mark >= 2 * run_) {
    if (!(distance < node.distance)) return;
  } else {
    node.mark = 2 * run_, node.place = static_cast<int>(heap_.size());
    heap_.push_back(v);
  }
  node.distance = distance, node.parent = parent;
  rise(node.place);
}

std::span<const int> GeodesicSearch::run(std::span<const Source> sources, double radius, const double* bound) {
  if (++run_ == 1u << 31) {  // marks are used up
    for (Node& node : node_) node.mark = 0;
    run_ = 1;
  }
  radius_ = radius, bound_ = bound;
  heap_.clear(), settled_.clear();
  for (const Source& source : sources) offer(source.vertex, source.distance, -1);
  while (!heap_.empty()) {
    const int v = pop();
    node_[v].mark = 2 * run_ + 1;
    settled_.push_back(v);
    const Path path(*this, v);
    for (const int u : graph_.neighbours(v))
      if (node_[u].mark != 2 * run_ + 1) offer(u, path.unfold(&graph_.position[4 * u]), v);
  }
  return settled_;
}

}  // namespace resilin
