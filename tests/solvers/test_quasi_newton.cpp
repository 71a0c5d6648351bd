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

// The objective where the first iteration begins.
double first_value(const char* start, bool jump, const char* material) {
  Model model = solid(beam_mesh(2), 1000, material, {});
  const Bounds box = bounds(model.rest);
  std::vector<int> end;
  for (int v = 0; v < model.vertex_count(); ++v)
    if (model.rest[3 * v] < box.lower[0] + 1e-9) end.push_back(v);
  MotionStep step;
  step.direction = {0, 1, 0};
  step.amount.constant = jump ? 0.1 : 0;
  pin(model, end, Motion({step}));
  const auto q = model.rest;
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.0), 1.0 / 30);
  const auto solver = make_solver("quasi_newton", {{"start", start}});
  solver->tracing = true;
  std::vector<double> y;
  return stage.solve(*solver, {.iterations = 1, .tolerance = 0}, y).trace.front().objective;
}

TEST(QuasiNewton, AHarmonicStartFollowsPinsThatJumpAndNoOthers) {
  EXPECT_LT(first_value("harmonic", true, "arap"), first_value("target", true, "arap"));
  EXPECT_LE(first_value("harmonic", true, "neo_hookean"), first_value("target", true, "neo_hookean"));
  EXPECT_EQ(first_value("harmonic", false, "arap"), first_value("target", false, "arap"));
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
