#include <gtest/gtest.h>

#include <algorithm>

#include "linear/ordering.h"
#include "linear/symbolic.h"
#include "matrices.h"

namespace resilin {
namespace {

void expect_permutation(std::vector<int> order, int n) {
  ASSERT_EQ(static_cast<int>(order.size()), n);
  std::sort(order.begin(), order.end());
  for (int i = 0; i < n; ++i) ASSERT_EQ(order[i], i);
}

test::Cliques star(int n) {
  test::Cliques cliques;
  for (int i = 1; i < n; ++i) cliques.add({0, i});
  return cliques;
}

TEST(Ordering, IsAPermutationOfAnyGraph) {
  std::vector<SymmetricMatrix> graphs;
  graphs.push_back(test::make_matrix(0, 1, {}));
  graphs.push_back(test::make_matrix(1, 1, {}));
  graphs.push_back(test::make_matrix(500, 1, {}));
  graphs.push_back(test::make_matrix(300, 1, star(300)));
  graphs.push_back(test::make_dense(200, 1));
  graphs.push_back(test::make_matrix(2000, 1, test::random_edges(2000, 1200, 3)));  // hundreds of components
  graphs.push_back(test::make_grid(9, 9, 9, 1));
  for (const auto& a : graphs)
    for (auto method : {OrderingMethod::metis, OrderingMethod::builtin}) {
      const Graph graph = graph_of(a);
      const auto order = fill_reducing_order(graph, method);
      expect_permutation(order, a.size());
      EXPECT_EQ(order, fill_reducing_order(graph, method));
    }
}

TEST(Ordering, HubOfAStarComesLast) {
  const auto a = test::make_matrix(300, 1, star(300));
  for (auto method : {OrderingMethod::metis, OrderingMethod::builtin})
    EXPECT_LE(analyse_pattern(a, method).nonzeros, 2 * 300) << "a star eliminated from its leaves has no fill";
}

TEST(Ordering, BuiltInFillIsDecent) {
  const auto a = test::make_grid(14, 14, 14, 1);
  const auto metis = analyse_pattern(a, OrderingMethod::metis).nonzeros;
  EXPECT_LT(analyse_pattern(a, OrderingMethod::builtin).nonzeros, 2.5 * metis);
}

TEST(Ordering, EliminationTreeOfAPathAndItsPostorder) {
  test::Cliques path;
  for (int i = 0; i + 1 < 6; ++i) path.add({i, i + 1});
  const Graph graph = graph_of(test::make_matrix(6, 1, path));
  EXPECT_EQ(elimination_tree(graph), (std::vector<int>{1, 2, 3, 4, 5, -1}));
  EXPECT_EQ(postorder({4, 3, 4, 5, -1, -1}), (std::vector<int>{0, 2, 4, 1, 3, 5}));
}

TEST(Ordering, PermutedGraphHasTheSameEdges) {
  const Graph graph = graph_of(test::make_grid(3, 3, 3, 1));
  const auto order = fill_reducing_order(graph, OrderingMethod::builtin);
  const Graph other = permuted(permuted(graph, order), inverse(order));
  ASSERT_EQ(other.start, graph.start);
  for (int i = 0; i < graph.size(); ++i) {
    std::vector<int> a(graph.neighbour.begin() + graph.start[i], graph.neighbour.begin() + graph.start[i + 1]);
    std::vector<int> b(other.neighbour.begin() + other.start[i], other.neighbour.begin() + other.start[i + 1]);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    EXPECT_EQ(a, b);
  }
}

}  // namespace
}  // namespace resilin
