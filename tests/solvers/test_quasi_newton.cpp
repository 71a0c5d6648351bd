#include <gtest/gtest.h>

#include <cmath>

#include "lab/setup.h"

namespace resilin::lab {
namespace {

TEST(QuasiNewton, ReachesNewtonsMinimum) {
  Model model = solid(beam_mesh(2), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.4}});
  const auto q = twisted(model.rest, 90);
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.0), 1.0 / 30);
  std::vector<double> reference, y;
  const double minimum = stage.minimum(reference, 1e-10);
  const auto solver = make_solver("quasi_newton");
  const SolveReport report = stage.solve(*solver, {.iterations = 400, .tolerance = 1e-9}, y);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_NEAR(report.objective, minimum, 1e-9 * minimum);
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], reference[i], 1e-6);
}

TEST(QuasiNewton, RespectsTheIterationLimitAndCountsEvaluations) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {});
  const auto q = twisted(model.rest, 90);
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.0), 0.1);
  const auto solver = make_solver("quasi_newton");
  std::vector<double> y;
  const SolveReport report = stage.solve(*solver, {.iterations = 3, .tolerance = 0}, y);
  EXPECT_EQ(report.status, Status::iteration_limit);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.evaluations, 1 + report.line_searches);
  EXPECT_EQ(report.factorisations, 1);
  EXPECT_EQ(stage.solve(*solver, {.iterations = 3, .tolerance = 0}, y).factorisations, 0) << "the factor is kept";
}

TEST(QuasiNewton, NotFiniteInputIsAStatus) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {});
  auto q = model.rest;
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), std::nan("")), 0.1);
  const auto solver = make_solver("quasi_newton");
  std::vector<double> y;
  EXPECT_EQ(stage.solve(*solver, {}, y).status, Status::not_finite);
}

}  // namespace
}  // namespace resilin::lab
