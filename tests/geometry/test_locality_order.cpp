#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "geometry/locality_order.h"
#include "geometry/mesh_checks.h"

namespace resilin {
namespace {

TEST(LocalityOrder, walks_a_grid_in_steps_to_neighbours) {
  // On a grid of 2^k vertices a side, a Hilbert curve visits every vertex by steps of exactly one spacing.
  constexpr int n = 8;
  std::vector<double> v;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) v.insert(v.end(), {i + 0.5, j + 0.5, k + 0.5});
  v.insert(v.end(), {0, 0, 0, n, n, n});  // makes the cells of the curve those of the grid
  std::vector<int> order = locality_order(v, n * n * n + 2);
  std::erase_if(order, [](int i) { return i >= n * n * n; });
  ASSERT_EQ(order.size(), static_cast<std::size_t>(n * n * n));
  for (std::size_t i = 1; i < order.size(); ++i) {
    double step = 0;
    for (int a = 0; a < 3; ++a) step += std::abs(v[3 * order[i] + a] - v[3 * order[i - 1] + a]);
    EXPECT_EQ(step, 1) << i;
  }
}

TEST(LocalityOrder, is_a_permutation_that_shortens_edges) {
  const TetMesh mesh = box({{7, 1, 1}, {28, 4, 4}, BoxPattern::five, {0, 0, 0}});
  const int n = mesh.vertex_count();
  const std::vector<int> order = locality_order(mesh.vertices, n);
  std::vector<int> sorted = order, place(n), all(n);
  std::ranges::sort(sorted);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  EXPECT_EQ(order, locality_order(mesh.vertices, n));
  for (int i = 0; i < n; ++i) place[order[i]] = i;
  double before = 0, after = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); t += 4)
    for (std::size_t i = 1; i < 4; ++i) {
      const int a = mesh.tets[t], b = mesh.tets[t + i];
      before += std::abs(a - b), after += std::abs(place[a] - place[b]);
    }
  EXPECT_LT(after, 0.6 * before);
}

TEST(LocalityOrder, survives_odd_input) {
  EXPECT_TRUE(locality_order({}, 0).empty());
  const std::vector<double> same{1, 1, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(locality_order(same, 3), (std::vector<int>{0, 1, 2}));
  const std::vector<double> bad{0, 0, 0, std::nan(""), 0, 0, 1, std::numeric_limits<double>::infinity(), 1};
  EXPECT_EQ(locality_order(bad, 3).size(), 3u);
}

}  // namespace
}  // namespace resilin
