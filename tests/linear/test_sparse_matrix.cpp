#include <gtest/gtest.h>

#include <chrono>

#include "linear/sparse_matrix.h"
#include "matrices.h"

namespace resilin {
namespace {

TEST(SparseMatrix, PatternHoldsTheCliquesAndTheDiagonal) {
  const std::vector<int> offset = {0, 3, 5, 6}, vertex = {4, 1, -1, 1, 0, 3};
  const SymmetricMatrix a(5, 1, offset, vertex);
  EXPECT_EQ(a.size(), 5);
  EXPECT_EQ(a.start, (std::vector<int>{0, 1, 3, 4, 5, 7}));
  EXPECT_EQ(a.column, (std::vector<int>{0, 0, 1, 2, 3, 1, 4}));
  EXPECT_EQ(a.value.size(), 7u);
  EXPECT_EQ(a.find(4, 1), 5);
  EXPECT_EQ(a.find(4, 0), -1);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(a.find(i, i), a.start[i + 1] - 1);
}

TEST(SparseMatrix, IgnoresRepeatedVerticesAndEmptyInput) {
  const std::vector<int> offset = {0, 4}, vertex = {1, 1, 0, 0};
  EXPECT_EQ(SymmetricMatrix(2, 3, offset, vertex).column, (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(SymmetricMatrix(3, 1, {}, {}).column, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(SymmetricMatrix(0, 1, {}, {}).size(), 0);
  EXPECT_EQ(SymmetricMatrix().size(), 0);
}

TEST(SparseMatrix, MultipliesLikeTheDenseMatrix) {
  for (int block : {1, 3}) {
    const SymmetricMatrix a = test::make_grid(3, 2, 4, block);
    const int n = a.size(), b = block;
    std::vector<double> dense(9 * static_cast<std::size_t>(n) * n, 0.0);
    for (int i = 0; i < n; ++i)
      for (int s = a.start[i]; s < a.start[i + 1]; ++s)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) {
            const double v = b == 1 ? (r == c ? a.value[s] : 0) : a.value[9 * s + 3 * r + c];
            dense[(3 * i + r) * 3 * n + 3 * a.column[s] + c] = v;
            dense[(3 * a.column[s] + c) * 3 * n + 3 * i + r] = v;
          }
    const auto x = test::random_vector(3 * n, 1);
    std::vector<double> y(3 * n, 99.0);
    a.multiply(x.data(), y.data());
    for (int i = 0; i < 3 * n; ++i) {
      double sum = 0;
      for (int j = 0; j < 3 * n; ++j) sum += dense[i * 3 * n + j] * x[j];
      EXPECT_NEAR(y[i], sum, 1e-12);
    }
  }
}

TEST(SparseMatrix, ClearKeepsThePattern) {
  SymmetricMatrix a = test::make_grid(2, 2, 2, 3);
  const auto column = a.column;
  a.clear();
  EXPECT_EQ(a.column, column);
  for (double v : a.value) EXPECT_EQ(v, 0.0);
}

TEST(SparseMatrix, BuildsThePatternOfALargeMeshQuickly) {
  const test::Cliques tets = test::grid_tets(70, 19, 19);  // 133k tets
  const auto begin = std::chrono::steady_clock::now();
  const SymmetricMatrix a(70 * 19 * 19, 1, tets.offset, tets.vertex);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GT(a.slots(), a.size());
  EXPECT_LT(seconds, 1.0);  // takes 0.01 s; the bound only catches a quadratic loop on a busy machine
}

}  // namespace
}  // namespace resilin
