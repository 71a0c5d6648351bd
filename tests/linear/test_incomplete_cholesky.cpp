#include <gtest/gtest.h>

#include "core/thread_pool.h"
#include "linear/incomplete_cholesky.h"
#include "matrices.h"

namespace resilin {
namespace {

// On a chain there is no fill to drop: the factor is exact.
TEST(IncompleteCholesky, IsExactWithoutFill) {
  for (const int block : {1, 3}) {
    test::Cliques chain;
    for (int i = 0; i + 1 < 40; ++i) chain.add({i, i + 1});
    const SymmetricMatrix a = test::make_matrix(40, block, chain);
    ThreadPool pool(1);
    IncompleteCholesky factor;
    factor.analyse(a);
    ASSERT_TRUE(factor.factorise(a, pool).positive_definite);
    EXPECT_EQ(factor.shift(), 0);
    const auto b = test::random_vector(3 * a.size(), 3);
    std::vector<double> x(b.size());
    factor.solve(b.data(), x.data(), pool);
    EXPECT_LE(test::residual(a, x, b), 1e-12) << block;
    std::vector<double> in_place = b;
    factor.solve(in_place.data(), in_place.data(), pool);
    EXPECT_EQ(in_place, x);
  }
}

// As a stationary iteration x += P^-1 (b - A x) a good approximation contracts; the bare matrix entries would not.
TEST(IncompleteCholesky, ApproximatesTheInverseOnAGrid) {
  for (const int block : {1, 3}) {
    const SymmetricMatrix a = test::make_grid(6, 6, 6, block, 20);
    ThreadPool pool(1);
    IncompleteCholesky factor;
    factor.analyse(a);
    ASSERT_TRUE(factor.factorise(a, pool).positive_definite);
    const auto b = test::random_vector(3 * a.size(), 4);
    std::vector<double> x(b.size());
    factor.solve(b.data(), x.data(), pool);
    EXPECT_LE(test::residual(a, x, b), 0.5) << block;
  }
}

// Symmetric and nearly indefinite: without a shift the pivots of the incomplete factor fail.
TEST(IncompleteCholesky, GrowsTheDiagonalWhenAPivotFails) {
  test::Cliques square;  // a ring of four and its missing fill (Kershaw 1978)
  square.add({0, 1}), square.add({1, 2}), square.add({2, 3}), square.add({0, 3});
  SymmetricMatrix a(4, 1, square.offset, square.vertex);
  for (int i = 0; i < 4; ++i) a.value[a.find(i, i)] = 3;
  for (int i = 0; i < 3; ++i) a.value[a.find(i + 1, i)] = -2;
  a.value[a.find(3, 0)] = 2;
  ThreadPool pool(1);
  IncompleteCholesky factor;
  factor.analyse(a);
  EXPECT_TRUE(factor.factorise(a, pool).positive_definite);
  EXPECT_GT(factor.shift(), 0);
  a.value[a.find(2, 2)] = -1;
  EXPECT_EQ(factor.factorise(a, pool).row, 2) << "a negative diagonal is nobody's approximation";
}

}  // namespace
}  // namespace resilin
