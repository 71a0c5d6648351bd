#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "solvers/descent/lbfgs.h"
#include "support/setup.h"

namespace resilin {
namespace {

// The pair (s, t) as a step from the origin.
bool push(Lbfgs& lbfgs, const std::vector<double>& s, const std::vector<double>& t, ThreadPool& pool) {
  const std::vector<double> zero(s.size(), 0.0);
  const ComponentSet whole = ComponentSet::whole(std::ssize(s));
  Vectors vectors(whole, pool);
  return lbfgs.push(zero.data(), s.data(), zero.data(), t.data(), vectors);
}

TEST(Lbfgs, WithoutPairsItIsTheInitialInverse) {
  ThreadPool pool(1);
  const ComponentSet whole = ComponentSet::whole(3);
  Vectors vectors(whole, pool);
  Lbfgs lbfgs(5);
  const std::vector<double> g = {1, -2, 3};
  std::vector<double> d(3);
  lbfgs.direction(g.data(), d.data(), vectors, [](const double* q, double* r) {
    for (int i = 0; i < 3; ++i) r[i] = 0.5 * q[i];
  });
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(d[i], -0.5 * g[i]);
}

TEST(Lbfgs, SatisfiesTheSecantEquationOfTheNewestPair) {
  ThreadPool pool(2);
  setup::Random random(4);
  constexpr int n = 20;
  const ComponentSet whole = ComponentSet::whole(n);
  Vectors vectors(whole, pool);
  Lbfgs lbfgs(4);
  std::vector<double> s(n), t(n), d(n);
  for (int pair = 0; pair < 7; ++pair) {
    for (int i = 0; i < n; ++i) s[i] = random.normal(), t[i] = (1 + i) * s[i] + 0.1 * random.normal();
    ASSERT_TRUE(push(lbfgs, s, t, pool));
  }
  EXPECT_EQ(lbfgs.count(), 4);
  double st = 0, tt = 0;
  for (int i = 0; i < n; ++i) st += s[i] * t[i], tt += t[i] * t[i];
  EXPECT_NEAR(lbfgs.scale(), st / tt, 1e-14) << "of the newest pair (X2)";
  lbfgs.direction(t.data(), d.data(), vectors, [](const double* q, double* r) { std::copy(q, q + n, r); });
  for (int i = 0; i < n; ++i) EXPECT_NEAR(d[i], -s[i], 1e-11) << "B t = s";
}

// H <- (1 - s t^T/rho) H (1 - t s^T/rho) + s s^T/rho for every pair (Nocedal and Wright, Eq. 6.17), as matrices.
TEST(Lbfgs, IsTheInverseBfgsMatrixOfItsPairs) {
  ThreadPool pool(1);
  setup::Random random(6);
  constexpr int n = 6;
  const ComponentSet whole = ComponentSet::whole(n);
  Vectors vectors(whole, pool);
  Lbfgs lbfgs(5);
  std::array<std::array<double, n>, n> h{};
  for (int i = 0; i < n; ++i) h[i][i] = 1.0 / (1 + i);  // A0^-1
  std::vector<double> s(n), t(n), g(n), d(n);
  for (int pair = 0; pair < 4; ++pair) {
    double rho = 0;
    for (int i = 0; i < n; ++i)
      s[i] = random.normal(), t[i] = (1 + i) * s[i] + 0.2 * random.normal(), rho += s[i] * t[i];
    ASSERT_TRUE(push(lbfgs, s, t, pool));
    std::array<double, n> ht{};
    double tht = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) ht[i] += h[i][j] * t[j];
    for (int i = 0; i < n; ++i) tht += t[i] * ht[i];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        h[i][j] += (1 + tht / rho) * s[i] * s[j] / rho - (ht[i] * s[j] + s[i] * ht[j]) / rho;
  }
  for (double& x : g) x = random.normal();
  lbfgs.direction(g.data(), d.data(), vectors, [](const double* q, double* r) {
    for (int i = 0; i < n; ++i) r[i] = q[i] / (1 + i);
  });
  for (int i = 0; i < n; ++i) {
    double wanted = 0;
    for (int j = 0; j < n; ++j) wanted -= h[i][j] * g[j];
    EXPECT_NEAR(d[i], wanted, 1e-10 * (1 + std::abs(wanted)));
  }
}

TEST(Lbfgs, ProductsLeftOverFromPushGiveTheSameDirection) {
  ThreadPool pool(2);
  setup::Random random(5);
  constexpr int n = 30;
  const ComponentSet whole = ComponentSet::whole(n);
  Vectors vectors(whole, pool);
  const auto copy = [](const double* q, double* r) { std::copy(q, q + n, r); };
  Lbfgs lbfgs(3);
  std::vector<double> s(n), t(n), by_pass(n), left_over(n);
  for (int pair = 0; pair < 6; ++pair) {
    for (int i = 0; i < n; ++i) s[i] = random.normal(), t[i] = (1 + i) * s[i] + 0.1 * random.normal();
    if (pair == 4)  // refused: what was left over is of the pairs that stay
      for (double& x : t) x = -x;
    EXPECT_EQ(push(lbfgs, s, t, pool), pair != 4);
    lbfgs.direction(t.data(), by_pass.data(), vectors, copy);
    lbfgs.direction(t.data(), left_over.data(), vectors, copy, /*pushed=*/true);
    for (int i = 0; i < n; ++i) EXPECT_EQ(by_pass[i], left_over[i]) << pair;
  }
}

TEST(Lbfgs, SkipsPairsWithoutCurvature) {
  ThreadPool pool(1);
  Lbfgs lbfgs(3);
  const std::vector<double> s = {1, 0}, against = {-1, 0}, across = {0, 1}, zero = {0, 0};
  EXPECT_FALSE(push(lbfgs, s, against, pool));
  EXPECT_FALSE(push(lbfgs, s, across, pool));
  EXPECT_FALSE(push(lbfgs, zero, zero, pool));
  EXPECT_EQ(lbfgs.count(), 0);
}

}  // namespace
}  // namespace resilin
