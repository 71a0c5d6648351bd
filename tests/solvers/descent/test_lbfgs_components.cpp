#include <gtest/gtest.h>

#include "solvers/descent/lbfgs.h"

namespace resilin {
namespace {

// A body whose pair has next to no curvature takes no part in it, whatever another body's pair is worth.
TEST(Lbfgs, SkipsAPairOfOneComponentAlone) {
  ThreadPool pool(1);
  const ComponentSet components(std::vector<int>{0, 1});
  Vectors vectors(components, pool);
  const std::vector<double> zero(6, 0.0), s = {1, 0, 0, 1, 0, 0}, t = {2, 0, 0, 1e-14, 1, 0},
                                          g = {4, 1, 1, 3, 2, 1};
  std::vector<double> d(6);
  Lbfgs lbfgs(3);
  ASSERT_TRUE(lbfgs.push(zero.data(), s.data(), zero.data(), t.data(), vectors));
  lbfgs.direction(g.data(), d.data(), vectors, [](const double* q, double* r) { std::copy(q, q + 6, r); });
  EXPECT_DOUBLE_EQ(d[0], -2) << "along s by the curvature of the pair";
  for (int i = 3; i < 6; ++i) EXPECT_DOUBLE_EQ(d[i], -g[i]) << "the initial inverse";
}

}  // namespace
}  // namespace resilin
