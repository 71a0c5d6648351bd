#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "linear/symbolic.h"
#include "matrices.h"

namespace resilin {
namespace {

// Fill by elimination of a dense boolean matrix in the final order.
std::vector<std::set<int>> eliminate(const SymmetricMatrix& a, const std::vector<int>& order) {
  const Graph graph = permuted(graph_of(a), order);
  std::vector<std::set<int>> below(graph.size());
  for (int j = 0; j < graph.size(); ++j)
    for (int e = graph.start[j]; e < graph.start[j + 1]; ++e)
      if (graph.neighbour[e] > j) below[j].insert(graph.neighbour[e]);
  for (int j = 0; j < graph.size(); ++j)
    if (!below[j].empty()) {
      const int parent = *below[j].begin();
      for (int i : below[j])
        if (i != parent) below[parent].insert(i);
    }
  return below;
}

void check(const SymmetricMatrix& a, OrderingMethod method) {
  const Symbolic s = analyse_pattern(a, method);
  const auto below = eliminate(a, s.order);
  std::int64_t nonzeros = a.size();
  for (const auto& column : below) nonzeros += static_cast<std::int64_t>(column.size());
  EXPECT_EQ(s.nonzeros, nonzeros) << "column counts";
  const int top = s.first[s.task_node.back()];
  for (int node = 0; node < s.nodes(); ++node) {
    const auto begin = s.row.begin() + s.row_start[node], end = s.row.begin() + s.row_start[node + 1];
    EXPECT_TRUE(std::is_sorted(begin, end));
    for (int j = s.first[node]; j < s.first[node + 1]; ++j)
      for (int i : below[j])
        EXPECT_TRUE(i < s.first[node + 1] || std::binary_search(begin, end, i)) << node << " misses row " << i;
    EXPECT_TRUE(begin == end || s.parent[node] > node);
  }
  for (int t = 0; t < s.tasks(); ++t)  // tasks touch only themselves and the top
    for (int k = s.row_start[s.task_node[t]]; k < s.row_start[s.task_node[t + 1]]; ++k)
      EXPECT_TRUE(s.row[k] < s.first[s.task_node[t + 1]] || s.row[k] >= top);
  EXPECT_EQ(s.entry.size(), a.column.size());
}

TEST(Symbolic, StructureCoversTheFill) {
  for (auto method : {OrderingMethod::metis, OrderingMethod::builtin}) {
    check(test::make_grid(8, 9, 10, 1), method);
    check(test::make_matrix(700, 1, test::random_edges(700, 900, 5)), method);
    check(test::make_dense(90, 1), method);
    check(test::make_matrix(40, 1, {}), method);
    check(test::make_matrix(0, 1, {}), method);
  }
}

TEST(Symbolic, SplitsALargeMeshIntoBalancedTasks) {
  const Symbolic s = analyse_pattern(test::make_grid(20, 20, 20, 1), OrderingMethod::metis);
  EXPECT_GE(s.tasks(), 8);
  EXPECT_LE(s.tasks(), 64);
  EXPECT_LT(s.task_node.back(), s.nodes());
}

TEST(Symbolic, GathersManyComponentsIntoFewTasks) {
  test::Cliques pairs;
  for (int i = 0; i < 20000; i += 2) pairs.add({i, i + 1});
  EXPECT_LE(analyse_pattern(test::make_matrix(20000, 1, pairs), OrderingMethod::metis).tasks(), 64);
}

}  // namespace
}  // namespace resilin
