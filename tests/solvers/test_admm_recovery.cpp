// What ADMM does where it goes wrong: an accelerated step that must be undone, weights that are too small.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulation/solve_stage.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// A beam crushed to a fifth: its material is far stiffer there than the weights of the rule say.
OneStage crushed() {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  auto q = model.rest;
  for (double& x : q) x *= 0.2;
  return {std::move(model), q, std::vector<double>(q.size(), 0.0), 1.0 / 30, 1};
}
const StopRule stop = {.iterations = 300, .gradient = 1e-8};

SolveReport solve(OneStage& stage, Solver& solver, Memory& memory, std::vector<double>& y) {
  y = stage.stage().guess;
  stage.system().begin(stage.stage());
  return solve_stage(stage.system(), solver, stage.stage(), y, memory, stop);
}

TEST(Admm, BeginsAgainWithLargerWeightsWhereItRises) {
  OneStage stage = crushed();
  const auto solver = make_solver("admm", {});
  solver->tracing = true;
  Memory memory;
  std::vector<double> reference, y;
  const double minimum = stage.minimum(reference, 1e-10);
  const SolveReport report = solve(stage, *solver, memory, y);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_NEAR(report.objective, minimum, 1e-6 * minimum);
  ASSERT_EQ(memory.entries.at("admm.rescues").values, (std::vector<double>{stage.stage().tau, 1}));
  const double first = report.trace[0].objective;
  EXPECT_TRUE(std::any_of(report.trace.begin() + 1, report.trace.end(), [&](const IterationRecord& r) {
    return std::abs(r.objective - first) <= 1e-12 * first;
  })) << "from the start of the stage, not from where it went wrong";
  // It is remembered: the next stage, of another solver even, has those weights from the beginning.
  const auto other = make_solver("admm", {});
  std::vector<double> again;
  const SolveReport next = solve(stage, *other, memory, again);
  EXPECT_EQ(next.status, Status::converged);
  EXPECT_LT(next.iterations, report.iterations - 20);
  EXPECT_EQ(memory.entries.at("admm.rescues").values[1], 1);
}

TEST(Admm, AfterAStepThatWasUndoneItGoesOnWithoutAcceleration) {
  OneStage stage = crushed();
  const auto solver = make_solver("admm", {});
  std::vector<std::vector<double>> x;
  solver->observe = [&](const std::vector<double>& y, const auto&...) { x.push_back(y); };
  Memory memory;
  std::vector<double> y;
  EXPECT_EQ(solve(stage, *solver, memory, y).status, Status::converged);
  int undone = 0;
  for (std::size_t k = 1; k + 1 < x.size(); ++k) {
    if (x[k] != x[k - 1]) continue;
    ++undone;
    EXPECT_NE(x[k + 1], x[k]) << "the same step again";
  }
  EXPECT_GE(undone, 1);
}

}  // namespace
}  // namespace resilin::test
