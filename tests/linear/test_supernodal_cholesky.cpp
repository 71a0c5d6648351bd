#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/thread_pool.h"
#include "linear/supernodal_cholesky.h"
#include "matrices.h"

namespace resilin {
namespace {

template <class S>
double solve_residual(const SymmetricMatrix& a, OrderingMethod method = OrderingMethod::metis) {
  SupernodalCholesky<S> solver(method);
  ThreadPool pool(2);
  solver.analyse(a);
  EXPECT_TRUE(solver.factorise(a, pool).positive_definite);
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> x(b.size(), 1e300);
  solver.solve(b.data(), x.data(), pool);
  return test::residual(a, x, b);
}

std::vector<SymmetricMatrix> zoo(int block) {
  std::vector<SymmetricMatrix> all;
  all.push_back(test::make_matrix(0, block, {}));
  all.push_back(test::make_matrix(1, block, {}));
  all.push_back(test::make_matrix(77, block, {}));
  for (int n : {2, 3, 4, 5, 8, 9, 25, 150}) all.push_back(test::make_dense(n, block));
  all.push_back(test::make_matrix(900, block, test::random_edges(900, 700, 3)));  // many components
  all.push_back(test::make_matrix(500, block, test::random_edges(500, 1500, 4)));
  all.push_back(test::make_grid(30, 30, 2, block));
  all.push_back(test::make_grid(11, 12, 13, block));
  return all;
}

TEST(SupernodalCholesky, ResidualIsNearMachinePrecision) {
  for (int block : {1, 3})
    for (const auto& a : zoo(block))
      for (auto method : {OrderingMethod::metis, OrderingMethod::builtin})
        EXPECT_LE(solve_residual<double>(a, method), 1e-12) << "n " << a.size() << " block " << block;
}

TEST(SupernodalCholesky, FloatFactorIsAccurateToFloat) {
  for (int block : {1, 3})
    for (const auto& a : zoo(block)) EXPECT_LE(solve_residual<float>(a), 2e-5) << "n " << a.size();
}

TEST(SupernodalCholesky, FloatFactorWorksFarFromOne) {
  const SymmetricMatrix a = test::make_grid(6, 6, 6, 1);
  SupernodalCholesky<float> solver;
  ThreadPool pool(1);
  solver.analyse(a);
  ASSERT_TRUE(solver.factorise(a, pool).positive_definite);
  for (double scale : {1e-60, 1e60}) {
    auto b = test::random_vector(3 * a.size(), 5), x = b;
    for (double& v : b) v *= scale;
    solver.solve(b.data(), x.data(), pool);
    for (double& v : b) v /= scale;
    for (double& v : x) v /= scale;
    EXPECT_LE(test::residual(a, x, b), 2e-5);
  }
  std::vector<double> zero(3 * a.size(), 0.0);
  solver.solve(zero.data(), zero.data(), pool);
  for (double v : zero) EXPECT_EQ(v, 0.0);
}

template <class S>
void expect_same_bits(const SymmetricMatrix& a) {
  SupernodalCholesky<S> reference;
  ThreadPool one(1);
  reference.analyse(a);
  reference.factorise(a, one);
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> expected(b.size()), x(b.size());
  reference.solve(b.data(), expected.data(), one);
  for (int threads : {1, 2, 3}) {
    SupernodalCholesky<S> solver;
    ThreadPool pool(threads);
    solver.analyse(a);
    solver.factorise(a, pool);
    ASSERT_EQ(solver.factor_bytes(), reference.factor_bytes());
    EXPECT_EQ(std::memcmp(solver.factor(), reference.factor(), solver.factor_bytes()), 0) << threads << " threads";
    for (int repeat = 0; repeat < 3; ++repeat) {
      solver.solve(b.data(), x.data(), pool);
      EXPECT_EQ(x, expected) << threads << " threads";
    }
  }
}

TEST(SupernodalCholesky, BitsDoNotDependOnTheThreads) {
  expect_same_bits<double>(test::make_grid(16, 16, 16, 1));
  expect_same_bits<float>(test::make_grid(16, 16, 16, 1));
  expect_same_bits<double>(test::make_grid(10, 10, 10, 3));
  expect_same_bits<float>(test::make_dense(400, 1));  // wide: its rows are shared out
}

TEST(SupernodalCholesky, WideTopIsSolvedToPrecision) {
  EXPECT_LE(solve_residual<double>(test::make_dense(603, 1)), 1e-12);
  EXPECT_LE(solve_residual<double>(test::make_dense(201, 3)), 1e-12);
}

TEST(SupernodalCholesky, NamesTheRowThatIsNotPositive) {
  ThreadPool pool(2);
  for (int block : {1, 3})
    for (int row : {0, 13, 124})
      for (double bad : {-1e3, std::nan(""), HUGE_VAL}) {
        SymmetricMatrix a = test::make_grid(5, 5, 5, block);
        const SymmetricMatrix good = a;
        const std::size_t last = static_cast<std::size_t>(a.find(row, row) + 1) * block * block - 1;
        a.value[last] = bad;
        SupernodalCholesky<double> solver;
        solver.analyse(a);
        const Factorisation result = solver.factorise(a, pool);
        EXPECT_FALSE(result.positive_definite);
        EXPECT_EQ(result.row, row);
        EXPECT_FALSE(result.pivot > 0 && std::isfinite(result.pivot));
        EXPECT_TRUE(solver.factorise(good, pool).positive_definite) << "recovers";
      }
}

TEST(SupernodalCholesky, NanOffTheDiagonalNamesOneOfItsRows) {
  ThreadPool pool(1);
  SymmetricMatrix a = test::make_grid(5, 5, 5, 1);
  a.value[a.start[60]] = std::nan("");
  SupernodalCholesky<float> solver;
  solver.analyse(a);
  const Factorisation result = solver.factorise(a, pool);
  EXPECT_FALSE(result.positive_definite);
  EXPECT_TRUE(result.row == 60 || result.row == a.column[a.start[60]]);
}

TEST(SupernodalCholesky, FactorisesNewValuesWithTheSameAnalysis) {
  SymmetricMatrix a = test::make_grid(7, 8, 9, 3);
  SupernodalCholesky<double> solver;
  ThreadPool pool(2);
  solver.analyse(a);
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> x(b.size());
  for (unsigned seed : {1u, 2u, 3u}) {
    test::fill_values(a, 0.1, seed);
    ASSERT_TRUE(solver.factorise(a, pool).positive_definite);
    solver.solve(b.data(), x.data(), pool);
    EXPECT_LE(test::residual(a, x, b), 1e-12);
  }
  const SymmetricMatrix other = test::make_grid(4, 4, 4, 1);  // another pattern in the same object
  solver.analyse(other);
  ASSERT_TRUE(solver.factorise(other, pool).positive_definite);
  const auto c = test::random_vector(3 * other.size(), 6);
  std::vector<double> y(c.size());
  solver.solve(c.data(), y.data(), pool);
  EXPECT_LE(test::residual(other, y, c), 1e-12);
}

TEST(SupernodalCholesky, SolvesInPlace) {
  for (int block : {1, 3}) {
    const SymmetricMatrix a = test::make_grid(9, 9, 9, block);
    SupernodalCholesky<double> solver;
    ThreadPool pool(2);
    solver.analyse(a);
    solver.factorise(a, pool);
    auto b = test::random_vector(3 * a.size(), 5);
    std::vector<double> x(b.size());
    solver.solve(b.data(), x.data(), pool);
    solver.solve(b.data(), b.data(), pool);
    EXPECT_EQ(b, x);
  }
}

TEST(SupernodalCholesky, ANanInTheRightSideDoesNotStay) {
  const SymmetricMatrix a = test::make_grid(9, 9, 9, 1);
  SupernodalCholesky<float> solver;
  ThreadPool pool(1);
  solver.analyse(a);
  solver.factorise(a, pool);
  const auto b = test::random_vector(3 * a.size(), 5);
  auto bad = b;
  bad[7] = std::nan("");
  std::vector<double> x(b.size()), y(b.size());
  solver.solve(b.data(), x.data(), pool);
  solver.solve(bad.data(), y.data(), pool);
  EXPECT_TRUE(std::isnan(y[7]));
  solver.solve(b.data(), y.data(), pool);
  EXPECT_EQ(x, y);
}

TEST(SupernodalCholesky, TenThousandSolvesDoNotDrift) {
  const SymmetricMatrix a = test::make_grid(6, 6, 6, 1);
  SupernodalCholesky<double> solver;
  ThreadPool pool(1);
  solver.analyse(a);
  solver.factorise(a, pool);
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> first(b.size()), x(b.size());
  solver.solve(b.data(), first.data(), pool);
  for (int i = 0; i < 10000; ++i) solver.solve(b.data(), x.data(), pool);
  EXPECT_EQ(x, first);
}

}  // namespace
}  // namespace resilin
