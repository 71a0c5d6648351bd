#include <gtest/gtest.h>

#include <cmath>

#include "resilin/errors.h"
#include "solvers/precondition/point_hessian.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(Newton, ConvergesQuadraticallyNearTheMinimum) {
  OneStage stage = released(solid(beam_mesh(1), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.3}}), 40, 0.05);
  const auto newton = published_solver("newton", {{"hessian", "exact_first"}});
  newton->tracing = true;
  std::vector<double> y;
  const SolveReport report = stage.solve(*newton, {.iterations = 60, .gradient = 1e-11}, y);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LT(report.iterations, 30);
  ASSERT_GE(report.trace.size(), 3u);
  const double last = report.trace.back().force_residual,
               before = report.trace[report.trace.size() - 2].force_residual;
  EXPECT_LT(last, 1e-2 * before);
}

TEST(Newton, ObjectiveNeverRisesFromAnInvertedStart) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  auto q = model.rest;
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] = -q[i];
  OneStage stage(std::move(model), q, 0.05);
  const auto newton = published_solver("newton");
  newton->tracing = true;
  std::vector<double> y;
  const SolveReport report = stage.solve(*newton, {.iterations = 40, .gradient = 1e-8}, y);
  ASSERT_NE(report.status, Status::not_finite);
  for (std::size_t i = 1; i < report.trace.size(); ++i)
    EXPECT_LE(report.trace[i].objective, report.trace[i - 1].objective * (1 + 1e-11));
}

// E81: with a factor in float, one truncated iteration still moves the centre of mass exactly onto that of the
// target.
TEST(Newton, KeepsTheMomentumOfAnIsolatedBodyWithAnInexactFactor) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.4}});
  const auto q = twisted(model.rest, 60);
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.3), 0.05);
  const auto newton = published_solver("newton", {{"linear_solver", "cholesky_float"}});
  std::vector<double> y;
  stage.solve(*newton, {.iterations = 1, .tolerance = 0}, y);
  const auto& mass = stage.system().model().mass;
  double moved = 0, weight = 0;
  for (std::size_t i = 0; i < y.size(); i += 3) {
    moved += mass[i / 3] * (y[i] - stage.stage().target[i]);
    weight += mass[i / 3] * std::abs(y[i]);
  }
  EXPECT_LE(std::abs(moved), 1e-14 * weight);
}

// From a start where the true Hessian is indefinite, every way to deal with that reaches the same minimum.
TEST(Newton, EveryDefinitenessFixReachesTheMinimum) {
  const std::vector<Values> ways = {{{"hessian", "filtered"}},
                                    {{"hessian", "exact_first"}},
                                    {{"hessian", "shifted"}},
                                    {{"hessian", "exact"}, {"linear_method", "cg"}, {"linear_iterations", 100}},
                                    {{"hessian", "exact"}, {"linear_method", "pcg"}, {"linear_iterations", 50}},
                                    {{"linear_method", "pcg"}, {"preconditioner", "incomplete_cholesky"}},
                                    {{"linear_method", "pcg"}, {"preconditioner", "incomplete_cholesky_rest"}}};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Model model = solid(beam_mesh(1), 1000, "neo_hookean", {{"young", 1e6}, {"poisson", 0.4}});
    auto q = twisted(model.rest, 120);
    for (std::size_t k = 0; k < q.size(); k += 3) q[k] *= 0.7;
    OneStage stage(std::move(model), q, 0.05);
    ASSERT_FALSE(PointHessian("cholesky").factorise(stage.problem(), stage.stage().guess.data(), false))
        << "not a test otherwise";
    std::vector<double> reference, y;
    const double minimum = stage.minimum(reference, 1e-11);
    const SolveReport report =
        stage.solve(*published_solver("newton", ways[i]), {.iterations = 500, .gradient = 1e-9}, y);
    EXPECT_EQ(report.status, Status::converged) << i;
    EXPECT_NEAR(report.objective, minimum, 1e-9 * report.objective) << i;
  }
}

TEST(Newton, RefusesAnExactHessianWithAFactor) {
  EXPECT_THROW(published_solver("newton", {{"hessian", "exact"}}), InputError);
  EXPECT_THROW(published_solver("newton", {{"hessian", "shifted"}, {"linear_method", "cg"}}), InputError);
}

}  // namespace
}  // namespace resilin::test
