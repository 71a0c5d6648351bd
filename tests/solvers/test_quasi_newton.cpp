#include <gtest/gtest.h>

#include <cmath>

#include "resilin/shapes.h"
#include "solvers/progress/iterations.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(QuasiNewton, ReachesNewtonsMinimum) {
  OneStage stage =
      released(solid(beam_mesh(2), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.4}}), 90, 1.0 / 30);
  std::vector<double> reference, y;
  const double minimum = stage.minimum(reference, 1e-10);
  const auto solver = published_solver("quasi_newton");
  const SolveReport report = stage.solve(*solver, {.iterations = 400, .gradient = 1e-9}, y);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_NEAR(report.objective, minimum, 1e-9 * minimum);
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], reference[i], 1e-6);
}

TEST(QuasiNewton, RespectsTheIterationLimitAndCountsEvaluations) {
  OneStage stage = released(solid(beam_mesh(1), 1000, "corotated", {}), 90, 0.1);
  const auto solver = published_solver("quasi_newton");
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
  OneStage stage(std::move(model), q, 1.0 / 30);
  const auto solver = published_solver("quasi_newton", {{"start", start}});
  solver->tracing = true;
  std::vector<double> y;
  return stage.solve(*solver, {.iterations = 1, .tolerance = 0}, y).trace.front().objective;
}

TEST(QuasiNewton, AHarmonicStartFollowsPinsThatJumpAndNoOthers) {
  EXPECT_LT(first_value("harmonic", true, "arap"), first_value("target", true, "arap"));
  EXPECT_LE(first_value("harmonic", true, "neo_hookean"), first_value("target", true, "neo_hookean"));
  EXPECT_EQ(first_value("harmonic", false, "arap"), first_value("target", false, "arap"));
}

// Three stages by one solver, with what it has learnt of its iterations' cost in between.
SolveReport with_budget(const std::string& solver_name, const Values& params, double seconds,
                        std::vector<double>& y) {
  OneStage stage =
      released(solid(beam_mesh(2), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.4}}), 90, 1.0 / 30);
  const auto solver = published_solver(solver_name, params);
  for (int i = 0; i < 2; ++i) stage.solve(*solver, {.iterations = 6, .tolerance = 0, .seconds = seconds}, y);
  return stage.solve(*solver, {.iterations = 6, .tolerance = 0, .seconds = seconds}, y);
}

TEST(QuasiNewton, ABudgetThatIsTooSmallForAnythingGivesOneIteration) {
  for (const Values& params : {Values{}, Values{{"coarse_modes", 3}}}) {
    std::vector<double> y;
    const SolveReport report = with_budget("quasi_newton", params, 1e-9, y);
    EXPECT_EQ(report.status, Status::time_limit);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_LT(report.residual, report.first_residual);
  }
  std::vector<double> y;
  EXPECT_EQ(with_budget("newton", {}, 1e-9, y).iterations, 1) << "the loop is shared";
}

TEST(QuasiNewton, ABudgetThatDoesNotBindChangesNoBit) {
  for (const Values& params : {Values{}, Values{{"coarse_modes", 3}}}) {
    std::vector<double> free, bounded;
    with_budget("quasi_newton", params, 0, free);
    const SolveReport report = with_budget("quasi_newton", params, 1e6, bounded);
    EXPECT_EQ(report.status, Status::iteration_limit);
    EXPECT_EQ(free, bounded);
  }
}

TEST(Pace, StopsBeforeAnIterationThatWouldEndTooLate) {
  Pace pace;
  pace.begin(10);
  EXPECT_TRUE(pace.fits(1)) << "the first one always fits";
  EXPECT_TRUE(pace.fits(4)) << "3 seconds each: ends at 7";
  EXPECT_TRUE(pace.fits(7));
  EXPECT_FALSE(pace.fits(8)) << "1 second counts for a fifth: 2.6";
  pace.begin(2);
  EXPECT_TRUE(pace.fits(0.5));
  EXPECT_FALSE(pace.fits(1.5)) << "what former stages took is remembered";
  pace.begin(0);
  EXPECT_TRUE(pace.fits(1e9)) << "no budget";
}

// Pins have jumped by a metre, and the step after that turns elements over in flight: the loop goes on from where
// the stage began, and the gradient there is what must fall.
TEST(QuasiNewton, ACrushedStartDoesNotCountAsTheGradientThatMustFall) {
  BoxOptions options;
  options.size = {1.6, 0.2, 0.2};
  options.cells = {23, 4, 4};
  Model model = solid(box(options), 1000, "neo_hookean", {{"young", 1e6}, {"poisson", 0.4}});
  std::vector<int> middle;
  for (int v = 0; v < model.vertex_count(); ++v)
    if (std::abs(model.rest[3 * v]) < 0.05) middle.push_back(v);
  MotionStep jump;
  jump.direction = {0, 1, 0};
  pin(model, middle, Motion({jump}));
  const auto simulation = published_simulation(std::move(model), 1.0 / 30, "quasi_newton",
                                               {{"iterations", 400}, {"gradient_tolerance", 1e-4}});
  simulation->solver().tracing = true;
  simulation->step();
  const SolveReport report = simulation->step().solve;
  EXPECT_EQ(report.status, Status::converged);
  ASSERT_GT(report.trace.size(), 2u);
  EXPECT_EQ(report.trace[1].step_length, 0) << "the gentle start";
  EXPECT_LE(report.residual, 1e-4 * report.trace[1].force_residual);
}

TEST(QuasiNewton, NotFiniteInputIsAStatus) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {});
  auto q = model.rest;
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), std::nan("")), 0.1);
  const auto solver = published_solver("quasi_newton");
  std::vector<double> y;
  EXPECT_EQ(stage.solve(*solver, {}, y).status, Status::not_finite);
}

}  // namespace
}  // namespace resilin::test
