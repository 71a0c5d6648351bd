#include <gtest/gtest.h>

#include <cmath>

#include "lab/setup.h"

namespace resilin::lab {
namespace {

OneStage beam() {
  Model model = solid(beam_mesh(2), 1000, "arap", {{"stiffness", 1e7}});
  const auto q = twisted(model.rest, 90);
  return OneStage(std::move(model), q, std::vector<double>(q.size(), 0.0), 0.01);
}

TEST(Chebyshev, WithoutARadiusToUseItIsPlainDescent) {
  OneStage stage = beam();
  std::vector<double> plain, y;
  const StopRule stop{.iterations = 10, .tolerance = 0};
  stage.solve(*lab::make_solver("quasi_newton", {{"history", 0}}), stop, plain);
  stage.solve(*lab::make_solver("chebyshev"), stop, y);
  EXPECT_EQ(plain, y) << "the first ten steps are not accelerated";
}

TEST(Chebyshev, ATrainedRadiusBeatsPlainDescent) {
  OneStage stage = beam();
  std::vector<double> reference, y;
  const double minimum = stage.minimum(reference, 1e-10);
  const StopRule stop{.iterations = 60, .tolerance = 0};
  const double plain =
      stage.solve(*lab::make_solver("quasi_newton", {{"history", 0}}), stop, y).objective - minimum;
  const auto solver = lab::make_solver("chebyshev");
  y = stage.stage().guess;
  Memory memory;
  const double ours = solver->solve(stage.objective(), stage.stage(), y, memory, stop).objective - minimum;
  ASSERT_EQ(memory.entries.at("chebyshev.radius").values.size(), 2u);
  EXPECT_GT(memory.entries.at("chebyshev.radius").values[0], 0.5);
  EXPECT_LT(memory.entries.at("chebyshev.radius").values[0], 1);
  EXPECT_LT(ours, 0.1 * plain);
}

TEST(Chebyshev, TheRadiusIsKeptAfterTraining) {
  OneStage stage = beam();
  const auto solver = lab::make_solver("chebyshev", {{"training_frames", 2}});
  Memory memory;
  for (int frame = 0; frame < 4; ++frame) {
    std::vector<double> y = stage.stage().guess;
    solver->solve(stage.objective(), stage.stage(), y, memory, {.iterations = 20, .tolerance = 0});
    EXPECT_EQ(memory.entries.at("chebyshev.radius").values[1], std::min(frame + 1, 2));
  }
}

// An iteration that overshoots is caught by the line search: Phi never rises.
TEST(Chebyshev, NeverRisesWithALineSearchWhateverTheRadius) {
  for (const double radius : {0.3, 0.9, 0.9999}) {
    OneStage stage = beam();
    const auto solver = lab::make_solver("chebyshev", {{"spectral_radius", radius}, {"plain_iterations", 2}});
    solver->tracing = true;
    std::vector<double> y;
    const SolveReport report = stage.solve(*solver, {.iterations = 80, .gradient = 1e-10}, y);
    for (std::size_t i = 1; i < report.trace.size(); ++i)
      ASSERT_LE(report.trace[i].objective, report.trace[i - 1].objective * (1 + 1e-11)) << radius;
  }
}

}  // namespace
}  // namespace resilin::lab
