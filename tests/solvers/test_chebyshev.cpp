#include <gtest/gtest.h>

#include <cmath>

#include "simulation/solve_stage.h"
#include "solvers/precondition/factor.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

OneStage beam() { return released(solid(beam_mesh(2), 1000, "arap", {{"stiffness", 1e7}}), 90, 0.01); }

TEST(Chebyshev, WithoutARadiusToUseItIsPlainDescent) {
  OneStage stage = beam();
  std::vector<double> plain, y;
  const StopRule stop{.iterations = 10, .tolerance = 0};
  stage.solve(*published_solver("quasi_newton", {{"history", 0}}), stop, plain);
  stage.solve(*published_solver("chebyshev"), stop, y);
  EXPECT_EQ(plain, y) << "the first ten steps are not accelerated";
}

TEST(Chebyshev, ATrainedRadiusBeatsPlainDescent) {
  OneStage stage = beam();
  std::vector<double> reference, y;
  const double minimum = stage.minimum(reference, 1e-10);
  const StopRule stop{.iterations = 60, .tolerance = 0};
  const double plain =
      stage.solve(*published_solver("quasi_newton", {{"history", 0}}), stop, y).objective - minimum;
  const auto solver = published_solver("chebyshev");
  y = stage.stage().guess;
  Memory memory;
  const double ours = solve_stage(stage.system(), *solver, stage.stage(), y, memory, stop).objective - minimum;
  ASSERT_EQ(memory.entries.at("chebyshev.radius").values.size(), 2u);
  EXPECT_GT(memory.entries.at("chebyshev.radius").values[0], 0.5);
  EXPECT_LT(memory.entries.at("chebyshev.radius").values[0], 1);
  EXPECT_LT(ours, 0.1 * plain);
}

TEST(Chebyshev, TheRadiusIsKeptAfterTraining) {
  OneStage stage = beam();
  const auto solver = published_solver("chebyshev", {{"training_frames", 2}});
  Memory memory;
  for (int frame = 0; frame < 4; ++frame) {
    std::vector<double> y = stage.stage().guess;
    solve_stage(stage.system(), *solver, stage.stage(), y, memory, {.iterations = 20, .tolerance = 0});
    EXPECT_EQ(memory.entries.at("chebyshev.radius").values[1], std::min(frame + 1, 2));
  }
}

// An iteration that overshoots is caught by the line search: Phi never rises.
TEST(Chebyshev, NeverRisesWithALineSearchWhateverTheRadius) {
  for (const double radius : {0.3, 0.9, 0.9999}) {
    OneStage stage = beam();
    const auto solver = published_solver("chebyshev", {{"spectral_radius", radius}, {"plain_iterations", 2}});
    solver->tracing = true;
    std::vector<double> y;
    const SolveReport report = stage.solve(*solver, {.iterations = 80, .gradient = 1e-10}, y);
    for (std::size_t i = 1; i < report.trace.size(); ++i)
      ASSERT_LE(report.trace[i].objective, report.trace[i - 1].objective * (1 + 1e-11)) << radius;
  }
}

// x_(k+1) = omega (x_k + q_k - x_(k-1)) + x_(k-1), with omega = 1 for S steps, then 2/(2 - rho^2), then 4/(4 -
// rho^2 omega).
TEST(Chebyshev, TheIteratesAreThoseOfItsFormula) {
  OneStage stage = beam();
  const double rho = 0.9;
  const auto solver = published_solver(
      "chebyshev",
      {{"spectral_radius", rho}, {"plain_iterations", 2}, {"line_search", false}, {"linear_solver", "cholesky"}});
  std::vector<std::vector<double>> x;
  solver->observe = [&](const std::vector<double>& y, const auto&...) { x.push_back(y); };
  std::vector<double> y, g(stage.stage().guess.size()), q(g.size());
  stage.solve(*solver, {.iterations = 6, .tolerance = 0}, y);
  ASSERT_EQ(x.size(), 7u);
  Factor factor("cholesky");
  factor.prepare(stage.problem());
  double omega = 1;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    if (k >= 2) omega = k == 2 ? 2 / (2 - rho * rho) : 4 / (4 - rho * rho * omega);
    stage.problem().evaluate(x[k].data(), g.data());
    factor.apply(g.data(), q.data());
    const auto& before = x[k == 0 ? 0 : k - 1];
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_NEAR(x[k + 1][i], omega * (x[k][i] - q[i] - before[i]) + before[i], 1e-9) << k;
  }
}

}  // namespace
}  // namespace resilin::test
