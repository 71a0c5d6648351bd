#include <gtest/gtest.h>

#include "linear/incomplete_cholesky.h"
#include "linear/jacobi.h"
#include "linear/matrices.h"
#include "solvers/precondition/conjugate_gradients.h"

namespace resilin {
namespace {

TEST(ConjugateGradients, SolvesWithEveryPreconditionerAndTheBetterOnesInFewerIterations) {
  for (const int block : {1, 3}) {
    const SymmetricMatrix a = test::make_grid(8, 8, 8, block, 0.5);
    const auto b = test::random_vector(3 * a.size(), 5);
    ThreadPool pool(2);
    int iterations[3];
    for (int kind = 0; kind < 3; ++kind) {
      std::unique_ptr<LinearSolver> preconditioner;
      if (kind == 1) preconditioner = std::make_unique<Jacobi>();
      if (kind == 2) preconditioner = std::make_unique<IncompleteCholesky>();
      ConjugateGradients cg(std::move(preconditioner), {.iterations = 2000, .tolerance = 1e-10});
      cg.analyse(a);
      ASSERT_TRUE(cg.factorise(a, pool).positive_definite);
      std::vector<double> x = b;
      cg.solve(x.data(), x.data(), pool);
      EXPECT_LE(test::residual(a, x, b), 2e-10) << block << " " << kind;
      iterations[kind] = cg.last_iterations();
    }
    EXPECT_LT(iterations[1], iterations[0]) << block;
    EXPECT_LT(2 * iterations[2], iterations[1]) << block;
  }
}

TEST(ConjugateGradients, StopsAtTheIterationLimit) {
  const SymmetricMatrix a = test::make_grid(6, 6, 6, 3);
  ThreadPool pool(1);
  ConjugateGradients cg(nullptr, {.iterations = 5, .tolerance = 0});
  cg.analyse(a);
  cg.factorise(a, pool);
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> x(b.size());
  cg.solve(b.data(), x.data(), pool);
  EXPECT_EQ(cg.last_iterations(), 5);
  EXPECT_FALSE(cg.met_negative_curvature());
}

// Indefinite: what comes back still has x . b > 0.
TEST(ConjugateGradients, StopsAtNegativeCurvatureWithADescentDirection) {
  SymmetricMatrix a = test::make_grid(4, 4, 4, 3);
  for (int row = 0; row < a.size(); row += 5) {
    double* diagonal = &a.value[9 * static_cast<std::size_t>(a.find(row, row))];
    for (int k = 0; k < 3; ++k) diagonal[4 * k] -= 40;
  }
  ThreadPool pool(1);
  ConjugateGradients cg(nullptr, {.iterations = 500, .tolerance = 0});
  cg.analyse(a);
  ASSERT_TRUE(cg.factorise(a, pool).positive_definite) << "indefinite is no failure here";
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> x(b.size());
  cg.solve(b.data(), x.data(), pool);
  EXPECT_TRUE(cg.met_negative_curvature());
  double slope = 0;
  for (std::size_t i = 0; i < b.size(); ++i) slope += x[i] * b[i];
  EXPECT_GT(slope, 0);
}

TEST(ConjugateGradients, TakesAPreconditionerOfAnotherMatrix) {
  const SymmetricMatrix a = test::make_grid(6, 6, 6, 3, 0.5), other = test::make_grid(6, 6, 6, 1, 0.5);
  ThreadPool pool(1);
  ConjugateGradients cg(std::make_unique<IncompleteCholesky>(), {.iterations = 2000, .tolerance = 1e-10});
  cg.analyse(a);
  LinearSolver& preconditioner = cg.precondition_with_other();
  preconditioner.analyse(other);
  ASSERT_TRUE(preconditioner.factorise(other, pool).positive_definite);
  ASSERT_TRUE(cg.factorise(a, pool).positive_definite);
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> x(b.size());
  cg.solve(b.data(), x.data(), pool);
  EXPECT_LE(test::residual(a, x, b), 2e-10);
}

}  // namespace
}  // namespace resilin
