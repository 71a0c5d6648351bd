#include "linear/symbolic.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <queue>
#include <utility>

#include "linear/panel_layout.h"
#include "linear/sparse_matrix.h"

namespace resilin {
namespace {

// Costs in values of the factor: measured, a row below costs two gathers and a scatter, a supernode its loop
// set-up.
constexpr std::int64_t row_cost = 8, node_cost = 200;
constexpr std::int64_t max_tasks = 16, min_task_cost = 8192;

struct Node {
  int width = 0, below = 0, parent = -1;
  int first_member = -1, last_member = -1;  // columns ranges merged into this node, in elimination order
};

struct Forest {
  std::vector<int> column_start;  // of the fundamental supernodes
  std::vector<Node> node;
  std::vector<int> next_member;
  std::vector<char> alive;  // not merged into its parent
};

std::int64_t cost(int width, int below, int block) {
  return PanelLayout(width * block, below * block).values() + row_cost * below * block + node_cost;
}

// The least common ancestor structure of Gilbert, Ng and Peyton: entry (i, j) of A adds to the counts only
// when j is a leaf of row i's subtree. Labels are a postorder.
std::vector<int> column_counts(const Graph& graph, const std::vector<int>& parent) {
  const int n = graph.size();
  std::vector<int> first(n), count(n), deepest(n, -1), previous(n, -1), set(n);
  std::iota(first.begin(), first.end(), 0);
  std::iota(set.begin(), set.end(), 0);
  for (int j = 0; j < n; ++j) {
    count[j] = first[j] == j ? 1 : 0;  // a leaf of the tree
    if (parent[j] >= 0) first[parent[j]] = std::min(first[parent[j]], first[j]);
  }
  const auto find = [&](int i) {
    int root = i;
    while (set[root] != root) root = set[root];
    while (set[i] != root) i = std::exchange(set[i], root);
    return root;
  };
  for (int j = 0; j < n; ++j) {
    if (parent[j] >= 0) --count[parent[j]];
    for (int e = graph.start[j]; e < graph.start[j + 1]; ++e) {
      const int i = graph.neighbour[e];
      if (i <= j || first[j] <= deepest[i]) continue;
      deepest[i] = first[j];
      ++count[j];
      if (previous[i] >= 0) --count[find(previous[i])];
      previous[i] = j;
    }
    if (parent[j] >= 0) set[j] = parent[j];
  }
  for (int j = 0; j < n; ++j)
    if (parent[j] >= 0) count[parent[j]] += count[j];
  return count;
}

// Runs of columns with the same structure.
Forest fundamental_supernodes(const std::vector<int>& parent, const std::vector<int>& count) {
  const int n = static_cast<int>(parent.size());
  Forest forest;
  std::vector<int> node_of(n);
  for (int j = 0; j < n; ++j) {
    const bool joins = j > 0 && parent[j - 1] == j && count[j - 1] == count[j] + 1;
    if (!joins) forest.column_start.push_back(j);
    node_of[j] = static_cast<int>(forest.column_start.size()) - 1;
  }
  forest.column_start.push_back(n);
  const int nodes = static_cast<int>(forest.column_start.size()) - 1;
  forest.node.resize(nodes);
  forest.next_member.assign(nodes, -1);
  forest.alive.assign(nodes, 1);
  for (int s = 0; s < nodes; ++s) {
    const int first = forest.column_start[s], last = forest.column_start[s + 1] - 1;
    forest.node[s] = {last - first + 1, count[last] - 1, parent[last] < 0 ? -1 : node_of[parent[last]], s, s};
  }
  return forest;
}

// Merges a child into its parent when storing the zeros costs less than another supernode.
void amalgamate(Forest& forest, int block) {
  const int nodes = static_cast<int>(forest.node.size());
  std::vector<std::vector<int>> children(nodes);
  std::vector<int> into(nodes, -1);
  for (int p = 0; p < nodes; ++p) {
    Node& node = forest.node[p];
    auto& candidates = children[p];
    // Fewest new zeros first: the one whose rows are most nearly the parent's.
    std::stable_sort(candidates.begin(), candidates.end(), [&](int a, int b) {
      return forest.node[a].below - forest.node[a].width > forest.node[b].below - forest.node[b].width;
    });
    for (int c : candidates) {
      const Node& child = forest.node[c];
      if (cost(node.width + child.width, node.below, block) >
          cost(node.width, node.below, block) + cost(child.width, child.below, block))
        continue;
      forest.next_member[child.last_member] = node.first_member;
      node.first_member = child.first_member;
      node.width += child.width;
      forest.alive[c] = 0;
      into[c] = p;
    }
    candidates = {};
    if (node.parent >= 0) children[node.parent].push_back(p);
  }
  // A parent that was merged away may have been merged further up.
  for (int s = nodes - 1; s >= 0; --s)
    while (forest.node[s].parent >= 0 && !forest.alive[forest.node[s].parent])
      forest.node[s].parent = into[forest.node[s].parent];
}

struct Split {
  std::vector<std::vector<int>> task;  // nodes of the forest, children before parents
  std::vector<std::int64_t> task_cost;
  std::vector<int> top;
};

// Opens the most expensive subtree until none is above its share; what was opened is the top. Then
// neighbouring subtrees are gathered into tasks of about one share.
Split split_forest(const Forest& forest, int block) {
  const int nodes = static_cast<int>(forest.node.size());
  std::vector<std::int64_t> subtree(nodes, 0);
  std::vector<std::vector<int>> children(nodes);
  std::int64_t total = 0;
  std::priority_queue<std::pair<std::int64_t, int>> open;
  for (int s = 0; s < nodes; ++s) {
    if (!forest.alive[s]) continue;
    const Node& node = forest.node[s];
    subtree[s] += cost(node.width, node.below, block);
    if (node.parent >= 0) {
      subtree[node.parent] += subtree[s];
      children[node.parent].push_back(s);
    } else {
      total += subtree[s];
      open.push({subtree[s], s});
    }
  }
  const std::int64_t share = std::max(min_task_cost, total / max_tasks);
  std::vector<char> is_top(nodes, 0);
  while (!open.empty() && open.top().first > share) {
    const int s = open.top().second;
    open.pop();
    is_top[s] = 1;
    for (int c : children[s]) open.push({subtree[c], c});
  }
  Split split;
  std::vector<int> task_of(nodes, -1);
  std::int64_t filled = share;
  for (int s = 0; s < nodes; ++s) {  // the roots of subtrees, in order
    const int p = forest.node[s].parent;
    if (!forest.alive[s] || is_top[s] || (p >= 0 && !is_top[p])) continue;
    if (filled + subtree[s] > share) {
      split.task_cost.push_back(0);
      filled = 0;
    }
    filled += subtree[s];
    split.task_cost.back() += subtree[s];
    task_of[s] = static_cast<int>(split.task_cost.size()) - 1;
  }
  split.task.resize(split.task_cost.size());
  for (int s = nodes - 1; s >= 0; --s)
    if (forest.alive[s] && !is_top[s] && task_of[s] < 0) task_of[s] = task_of[forest.node[s].parent];
  for (int s = 0; s < nodes; ++s)
    if (forest.alive[s]) (is_top[s] ? split.top : split.task[task_of[s]]).push_back(s);
  return split;
}

// Final numbers for supernodes and columns. Returns, for each label of the postorder, its final number.
std::vector<int> number_nodes(const Forest& forest, const Split& split, Symbolic& out) {
  std::vector<int> sequence, final_node(forest.node.size(), -1), final_column(out.size);
  out.task_node = {0};
  for (const auto& task : split.task) {
    sequence.insert(sequence.end(), task.begin(), task.end());
    out.task_node.push_back(static_cast<int>(sequence.size()));
  }
  sequence.insert(sequence.end(), split.top.begin(), split.top.end());
  int next = 0;
  for (int k = 0; k < static_cast<int>(sequence.size()); ++k) {
    final_node[sequence[k]] = k;
    out.first.push_back(next);
    for (int m = forest.node[sequence[k]].first_member; m >= 0; m = forest.next_member[m])
      for (int j = forest.column_start[m]; j < forest.column_start[m + 1]; ++j) final_column[j] = next++;
  }
  out.first.push_back(next);
  assert(next == out.size);
  for (int s : sequence) {
    const int p = forest.node[s].parent;
    out.parent.push_back(p < 0 ? -1 : final_node[p]);
  }
  out.run_order.resize(split.task.size());
  std::iota(out.run_order.begin(), out.run_order.end(), 0);
  std::stable_sort(out.run_order.begin(), out.run_order.end(),
                   [&](int a, int b) { return split.task_cost[a] > split.task_cost[b]; });
  return final_column;
}

void list_children(Symbolic& s) {
  s.child_start.assign(s.nodes() + 1, 0);
  for (int p : s.parent)
    if (p >= 0) ++s.child_start[p + 1];
  for (int i = 0; i < s.nodes(); ++i) s.child_start[i + 1] += s.child_start[i];
  s.child.resize(s.child_start.back());
  std::vector<int> fill(s.child_start.begin(), s.child_start.end() - 1);
  for (int i = 0; i < s.nodes(); ++i)
    if (s.parent[i] >= 0) s.child[fill[s.parent[i]]++] = i;
}

// Rows of a supernode: those of A's columns and of its children's rows that lie below. `graph` has final labels.
void list_rows(const Graph& graph, Symbolic& s) {
  std::vector<int> seen_by(s.size, -1);
  s.row_start = {0};
  for (int node = 0; node < s.nodes(); ++node) {
    const int begin = s.first[node], end = s.first[node + 1];
    const auto add = [&](int i) {
      if (i < end || seen_by[i] == node) return;
      seen_by[i] = node;
      s.row.push_back(i);
    };
    for (int e = graph.start[begin]; e < graph.start[end]; ++e) add(graph.neighbour[e]);
    for (int c = s.child_start[node]; c < s.child_start[node + 1]; ++c)
      for (int k = s.row_start[s.child[c]]; k < s.row_start[s.child[c] + 1]; ++k) add(s.row[k]);
    std::sort(s.row.begin() + s.row_start[node], s.row.end());
    s.row_start.push_back(static_cast<int>(s.row.size()));
  }
}

int place_in_front(const Symbolic& s, int node, int row) {
  if (row < s.first[node + 1]) return row - s.first[node];
  const auto begin = s.row.begin() + s.row_start[node], end = s.row.begin() + s.row_start[node + 1];
  const auto at = std::lower_bound(begin, end, row);
  assert(at != end && *at == row);
  return s.width(node) + static_cast<int>(at - begin);
}

void place_rows(Symbolic& s) {
  s.relative.assign(s.row.size(), -1);
  for (int node = 0; node < s.nodes(); ++node)
    for (int k = s.row_start[node]; k < s.row_start[node + 1]; ++k)
      s.relative[k] = place_in_front(s, s.parent[node], s.row[k]);

  const int top = s.first[s.task_node.back()];
  s.local_row.resize(s.row.size());
  s.tail_start = {0};
  std::vector<int> place(s.size - top, -1);
  for (int t = 0; t < s.tasks(); ++t) {
    const int begin = s.task_node[t], end = s.task_node[t + 1], tail = s.tail_start.back();
    for (int k = s.row_start[begin]; k < s.row_start[end]; ++k)
      if (const int i = s.row[k]; i >= top && place[i - top] < tail) {
        place[i - top] = static_cast<int>(s.tail.size());
        s.tail.push_back(i);
      }
    std::sort(s.tail.begin() + tail, s.tail.end());
    for (std::size_t k = tail; k < s.tail.size(); ++k) place[s.tail[k] - top] = static_cast<int>(k);
    const int own = s.first[end] - s.first[begin];
    for (int k = s.row_start[begin]; k < s.row_start[end]; ++k) {
      const int i = s.row[k];
      s.local_row[k] = i < top ? i - s.first[begin] : own + place[i - top] - tail;
    }
    s.tail_start.push_back(static_cast<int>(s.tail.size()));
  }
  for (int k = s.row_start[s.task_node.back()]; k < s.row_start.back(); ++k) s.local_row[k] = s.row[k] - top;
}

void place_entries(const SymmetricMatrix& a, Symbolic& s) {
  const std::vector<int> position = inverse(s.order);
  std::vector<int> node_of(s.size);
  for (int node = 0; node < s.nodes(); ++node)
    std::fill(node_of.begin() + s.first[node], node_of.begin() + s.first[node + 1], node);
  s.entry_start.assign(s.nodes() + 1, 0);
  const auto for_each = [&](auto use) {
    for (int i = 0; i < a.size(); ++i)
      for (int slot = a.start[i]; slot < a.start[i + 1]; ++slot) {
        const int p = position[i], q = position[a.column[slot]];
        use(slot, std::max(p, q), std::min(p, q), p < q);
      }
  };
  for_each([&](int, int, int column, bool) { ++s.entry_start[node_of[column] + 1]; });
  for (int node = 0; node < s.nodes(); ++node) s.entry_start[node + 1] += s.entry_start[node];
  s.entry.resize(s.entry_start.back());
  std::vector<int> fill(s.entry_start.begin(), s.entry_start.end() - 1);
  for_each([&](int slot, int row, int column, bool transposed) {
    const int node = node_of[column];
    s.entry[fill[node]++] = {slot, place_in_front(s, node, row), column - s.first[node], transposed};
  });
}

}  // namespace

Symbolic analyse_pattern(const SymmetricMatrix& a, OrderingMethod method) {
  Symbolic s;
  s.size = a.size();
  s.block = a.block();
  const Graph original = graph_of(a);
  std::vector<int> order = fill_reducing_order(original, method);
  const auto reorder = [&order](const std::vector<int>& by) {
    std::vector<int> result(by.size());
    for (std::size_t i = 0; i < by.size(); ++i) result[i] = order[by[i]];
    order = std::move(result);
  };
  reorder(postorder(elimination_tree(permuted(original, order))));
  const Graph graph = permuted(original, order);
  const std::vector<int> parent = elimination_tree(graph);
  const std::vector<int> count = column_counts(graph, parent);
  // A block column of c blocks holds b (b c) scalars less the strict upper part of its diagonal block.
  for (int c : count)
    s.nonzeros += s.block * (static_cast<std::int64_t>(s.block) * c) - s.block * (s.block - 1) / 2;

  Forest forest = fundamental_supernodes(parent, count);
  amalgamate(forest, s.block);
  const std::vector<int> by = inverse(number_nodes(forest, split_forest(forest, s.block), s));
  reorder(by);
  s.order = order;
  list_children(s);
  list_rows(permuted(graph, by), s);
  place_rows(s);
  place_entries(a, s);
  return s;
}

}  // namespace resilin
