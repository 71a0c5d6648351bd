#include <gtest/gtest.h>

#include "core/thread_pool.h"
#include "linear/linear_solver.h"
#include "matrices.h"

namespace resilin {

LinearSolverPlugin linear_cholesky_float();

namespace {

TEST(CholeskyFloat, PluginSolves) {
  const LinearSolverPlugin plugin = linear_cholesky_float();
  EXPECT_FALSE(plugin.doc.empty());
  const auto solver = plugin.make();
  const SymmetricMatrix a = test::make_grid(8, 8, 8, 1);
  ThreadPool pool(2);
  solver->analyse(a);
  ASSERT_TRUE(solver->factorise(a, pool).positive_definite);
  EXPECT_GT(solver->factor_nonzeros(), a.slots());
  EXPECT_GT(solver->factor_bytes(), sizeof(float) * static_cast<std::size_t>(solver->factor_nonzeros()));
  const auto b = test::random_vector(3 * a.size(), 5);
  std::vector<double> x(b.size());
  solver->solve(b.data(), x.data(), pool);
  EXPECT_LE(test::residual(a, x, b), 2e-5);
}

}  // namespace
}  // namespace resilin
