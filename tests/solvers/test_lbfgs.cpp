#include "solvers/lbfgs.h"

#include <gtest/gtest.h>

#include "lab/setup.h"

namespace resilin {
namespace {

TEST(Lbfgs, WithoutPairsItIsTheInitialInverse) {
  ThreadPool pool(1);
  Lbfgs lbfgs(5);
  const std::vector<double> g = {1, -2, 3};
  std::vector<double> d(3);
  lbfgs.direction(g.data(), d.data(), 3, pool, [](const double* q, double* r) {
    for (int i = 0; i < 3; ++i) r[i] = 0.5 * q[i];
  });
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(d[i], -0.5 * g[i]);
}

TEST(Lbfgs, SatisfiesTheSecantEquationOfTheNewestPair) {
  ThreadPool pool(2);
  lab::Random random(4);
  constexpr int n = 20;
  Lbfgs lbfgs(4);
  std::vector<double> s(n), t(n), d(n);
  for (int pair = 0; pair < 7; ++pair) {
    for (int i = 0; i < n; ++i) s[i] = random.normal(), t[i] = (1 + i) * s[i] + 0.1 * random.normal();
    ASSERT_TRUE(lbfgs.push(s.data(), t.data(), n, pool));
  }
  EXPECT_EQ(lbfgs.count(), 4);
  lbfgs.direction(t.data(), d.data(), n, pool, [](const double* q, double* r) { std::copy(q, q + n, r); });
  for (int i = 0; i < n; ++i) EXPECT_NEAR(d[i], -s[i], 1e-11) << "B t = s";
}

TEST(Lbfgs, SkipsPairsWithoutCurvature) {
  ThreadPool pool(1);
  Lbfgs lbfgs(3);
  const std::vector<double> s = {1, 0}, against = {-1, 0}, across = {0, 1}, zero = {0, 0};
  EXPECT_FALSE(lbfgs.push(s.data(), against.data(), 2, pool));
  EXPECT_FALSE(lbfgs.push(s.data(), across.data(), 2, pool));
  EXPECT_FALSE(lbfgs.push(zero.data(), zero.data(), 2, pool));
  EXPECT_EQ(lbfgs.count(), 0);
}

}  // namespace
}  // namespace resilin
