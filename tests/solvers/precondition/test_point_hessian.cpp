#include <gtest/gtest.h>

#include <cmath>

#include "solvers/precondition/point_hessian.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// A pin takes rows out of the matrix, an unpinned vertex brings them back: with each the solve is that of a new
// factor.
TEST(PointHessian, FollowsPinsThatComeAndGo) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {{"young", 1e5}});
  const auto q = twisted(model.rest, 30);
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  Stage stage;
  stage.time = stage.tau = 0.02, stage.origin = stage.target = stage.guess = q;
  stage.velocity.assign(q.size(), 0.0);
  Random random(4);
  std::vector<double> r(q.size()), kept(q.size()), fresh(q.size());
  for (double& x : r) x = random.normal();
  PointHessian hessian(std::string("cholesky"));
  for (const int pins : {4, 0, 7}) {
    model.pins.clear();
    for (int v = 0; v < pins; ++v) pin(model, {v});
    system.update(false);
    Problem& problem = system.begin(stage);
    PointHessian other(std::string("cholesky"));
    ASSERT_TRUE(hessian.factorise(problem, q.data(), true));
    ASSERT_TRUE(other.factorise(problem, q.data(), true));
    hessian.solve(problem, r.data(), kept.data());
    other.solve(problem, r.data(), fresh.data());
    EXPECT_EQ(kept, fresh) << pins;
    for (int i = 0; i < 3 * pins; ++i) EXPECT_EQ(kept[i], 0) << pins;
  }
}

}  // namespace
}  // namespace resilin::test
