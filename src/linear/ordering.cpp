#include "linear/ordering.h"

#include <metis.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <mutex>
#include <numeric>

#include "linear/sparse_matrix.h"
#include "resilin/watch.h"

namespace resilin {

Graph graph_of(const SymmetricMatrix& a) {
  const int n = a.size();
  Graph graph;
  graph.start.assign(n + 1, 0);
  for (int i = 0; i < n; ++i)
    for (int s = a.start[i]; s < a.start[i + 1] - 1; ++s) ++graph.start[i + 1], ++graph.start[a.column[s] + 1];
  for (int i = 0; i < n; ++i) graph.start[i + 1] += graph.start[i];
  graph.neighbour.resize(graph.start[n]);
  std::vector<int> fill(graph.start.begin(), graph.start.end() - 1);
  for (int i = 0; i < n; ++i)
    for (int s = a.start[i]; s < a.start[i + 1] - 1; ++s) {
      graph.neighbour[fill[i]++] = a.column[s];
      graph.neighbour[fill[a.column[s]]++] = i;
    }
  return graph;
}

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (int i = 0; i < static_cast<int>(order.size()); ++i) position[order[i]] = i;
  return position;
}

Graph permuted(const Graph& graph, const std::vector<int>& order) {
  const std::vector<int> position = inverse(order);
  Graph result;
  result.start.reserve(graph.start.size());
  result.neighbour.reserve(graph.neighbour.size());
  for (int old : order) {
    for (int e = graph.start[old]; e < graph.start[old + 1]; ++e)
      result.neighbour.push_back(position[graph.neighbour[e]]);
    result.start.push_back(static_cast<int>(result.neighbour.size()));
  }
  return result;
}

// Liu: vertex i becomes the parent of the root of every earlier tree that it touches. `root` compresses the paths.
std::vector<int> elimination_tree(const Graph& graph) {
  const int n = graph.size();
  std::vector<int> parent(n, -1), root(n, -1);
  for (int i = 0; i < n; ++i)
    for (int e = graph.start[i]; e < graph.start[i + 1]; ++e) {
      int k = graph.neighbour[e];
      if (k > i) continue;
      while (root[k] != -1 && root[k] != i) {
        const int next = root[k];
        root[k] = i;
        k = next;
      }
      if (root[k] == -1) root[k] = parent[k] = i;
    }
  return parent;
}

std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> first_child(n, -1), sibling(n, -1), order, stack;
  for (int j = n - 1; j >= 0; --j)
    if (parent[j] >= 0) {
      sibling[j] = first_child[parent[j]];
      first_child[parent[j]] = j;
    }
  order.reserve(n);
  for (int r = 0; r < n; ++r) {
    if (parent[r] >= 0) continue;
    stack.push_back(r);
    while (!stack.empty()) {
      const int j = stack.back();
      if (const int child = first_child[j]; child >= 0) {
        first_child[j] = sibling[child];
        stack.push_back(child);
      } else {
        order.push_back(j);
        stack.pop_back();
      }
    }
  }
  return order;
}

namespace {

constexpr int leaf_size = 64;  // the bits of a word: leaves are ordered with one word per adjacency row

// Recursive dissection by breadth-first levels. A part is a range of vertices_; its separator is numbered last.
class Dissection {
 public:
  explicit Dissection(const Graph& graph)
      : graph_(graph), part_(graph.size(), 0), level_(graph.size(), -1), local_(graph.size(), -1) {}

  std::vector<int> order() {
    order_.assign(graph_.size(), -1);
    std::vector<int> all(graph_.size());
    std::iota(all.begin(), all.end(), 0);
    // An explicit stack: a long chain of components must not become a deep recursion.
    std::vector<Job> jobs;
    jobs.push_back({std::move(all), 0});
    while (!jobs.empty()) {
      Job job = std::move(jobs.back());
      jobs.pop_back();
      watch_check();
      split(job, jobs);
    }
    return std::move(order_);
  }

 private:
  struct Job {
    std::vector<int> vertices;
    int first;  // the smallest number that its vertices get
  };

  void split(const Job& job, std::vector<Job>& jobs) {
    const auto& v = job.vertices;
    if (v.empty()) return;
    if (v.size() <= leaf_size) return number_leaf(job);
    const int id = ++parts_;
    for (int i : v) part_[i] = id;
    std::vector<int> reached = far_levels(v.front(), id);
    if (reached.size() < v.size()) return split_components(job, id, jobs);
    const int cut = best_level(reached);
    std::vector<int> left, right, separator;
    for (int i : reached) {
      if (level_[i] < cut) left.push_back(i);
      else if (level_[i] > cut) right.push_back(i);
      else (touches_level(i, cut + 1, id) ? separator : left).push_back(i);
    }
    if (right.empty()) return number_by_degree(job);
    const int last = static_cast<int>(v.size() - separator.size());
    number(separator, job.first + last);
    jobs.push_back({left, job.first});
    jobs.push_back({right, job.first + static_cast<int>(left.size())});
  }

  void split_components(const Job& job, int id, std::vector<Job>& jobs) {
    int first = job.first;
    for (int i : job.vertices) {
      if (part_[i] != id) continue;
      std::vector<int> reached = levels(i, id);
      for (int k : reached) part_[k] = 0;
      jobs.push_back({reached, first});
      first += static_cast<int>(reached.size());
    }
  }

  // Nothing lies beyond the cut: the part is nearly a clique or a star. Hubs last.
  void number_by_degree(const Job& job) {
    std::vector<int> v = job.vertices;
    const auto degree = [this](int i) { return graph_.start[i + 1] - graph_.start[i]; };
    std::stable_sort(v.begin(), v.end(), [&](int a, int b) { return degree(a) < degree(b); });
    number(v, job.first);
  }

  // Levels from a vertex that is far from others: two sweeps of breadth-first search.
  std::vector<int> far_levels(int from, int id) {
    std::vector<int> queue = levels(from, id);
    for (int sweep = 0; sweep < 2; ++sweep) queue = levels(queue.back(), id);
    return queue;
  }

  std::vector<int> levels(int from, int id) {
    const int stamp = ++parts_;  // marks what is reached, and is undone below
    std::vector<int> queue = {from};
    part_[from] = stamp;
    level_[from] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const int i = queue[head];
      for (int e = graph_.start[i]; e < graph_.start[i + 1]; ++e) {
        const int k = graph_.neighbour[e];
        if (part_[k] != id) continue;
        part_[k] = stamp;
        level_[k] = level_[i] + 1;
        queue.push_back(k);
      }
    }
    for (int i : queue) part_[i] = id;
    return queue;
  }

  // The thinnest level between 30 % and 70 % of the vertices. With too few levels: the one that holds the median.
  int best_level(const std::vector<int>& queue) const {
    const int n = static_cast<int>(queue.size());
    int best = level_[queue[n / 2]], best_size = n;
    for (int i = 0; i < n;) {
      const int first = i, level = level_[queue[i]];
      while (i < n && level_[queue[i]] == level) ++i;
      if (first > 3 * n / 10 && i < 7 * n / 10 && i - first < best_size) best = level, best_size = i - first;
    }
    return best;
  }

  bool touches_level(int i, int level, int id) const {
    for (int e = graph_.start[i]; e < graph_.start[i + 1]; ++e)
      if (const int k = graph_.neighbour[e]; part_[k] == id && level_[k] == level) return true;
    return false;
  }

  void number(const std::vector<int>& vertices, int first) {
    for (int i : vertices) order_[first++] = i;
  }

  // Exact minimum degree on at most 64 vertices; ties go to the lowest.
  void number_leaf(const Job& job) {
    const auto& v = job.vertices;
    const int n = static_cast<int>(v.size());
    std::uint64_t adjacent[leaf_size] = {};
    for (int i = 0; i < n; ++i) local_[v[i]] = i;
    for (int i = 0; i < n; ++i)
      for (int e = graph_.start[v[i]]; e < graph_.start[v[i] + 1]; ++e)
        if (const int k = local_[graph_.neighbour[e]]; k >= 0) adjacent[i] |= std::uint64_t{1} << k;
    for (int i = 0; i < n; ++i) local_[v[i]] = -1;
    std::uint64_t left = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    for (int k = 0; k < n; ++k) {
      int best = -1, degree = leaf_size + 1;
      for (int i = 0; i < n; ++i)
        if (left >> i & 1)
          if (const int d = std::popcount(adjacent[i] & left); d < degree) best = i, degree = d;
      left &= ~(std::uint64_t{1} << best);
      for (int i = 0; i < n; ++i)
        if (adjacent[best] >> i & 1) adjacent[i] |= adjacent[best] & ~(std::uint64_t{1} << i);
      order_[job.first + k] = v[best];
    }
  }

  const Graph& graph_;
  std::vector<int> part_, level_, local_, order_;
  int parts_ = 0;
};

bool metis_order(const Graph& graph, std::vector<int>& order) {
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = 20;
  idx_t n = graph.size();
  std::vector<idx_t> start(graph.start.begin(), graph.start.end());
  std::vector<idx_t> neighbour(graph.neighbour.begin(), graph.neighbour.end());
  std::vector<idx_t> new_to_old(n), old_to_new(n);
  // Its random numbers are one state of the process: two calls at a time would give other orders, and other bits.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  if (METIS_NodeND(&n, start.data(), neighbour.data(), nullptr, options, new_to_old.data(), old_to_new.data()) !=
      METIS_OK)
    return false;
  order.assign(new_to_old.begin(), new_to_old.end());
  std::vector<char> seen(n, 0);  // an ordering that is no permutation would corrupt memory later
  for (int i : order)
    if (i < 0 || i >= n || seen[i]++) return false;
  return true;
}

}  // namespace

std::vector<int> fill_reducing_order(const Graph& graph, OrderingMethod method) {
  std::vector<int> order(graph.size());
  std::iota(order.begin(), order.end(), 0);
  if (graph.neighbour.empty()) return order;
  // METIS gains nothing on what fits one leaf.
  if (method == OrderingMethod::metis && graph.size() > leaf_size && metis_order(graph, order)) return order;
  return Dissection(graph).order();
}

}  // namespace resilin
