#include <gtest/gtest.h>

#include "potentials/pin.h"
#include "resilin/errors.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(ProjectiveDynamics, EqualsQuasiNewtonWithoutHistoryAndLineSearch) {
  OneStage stage = released(solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e6}}), 180, 0.01);
  std::vector<double> a, b;
  const StopRule stop{.iterations = 25, .tolerance = 0};
  stage.solve(*published_solver("projective_dynamics"), stop, a);
  stage.solve(*published_solver("quasi_newton", {{"history", 0}, {"line_search", false}}), stop, b);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-9 * 4);
}

TEST(ProjectiveDynamics, RefusesOtherMaterialsByName) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  try {
    published_simulation(std::move(model), 0.01, "projective_dynamics", {});
    FAIL() << "neo-Hookean has no projection";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("neo_hookean"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("quasi_newton"), std::string::npos);
  }
}

TEST(ProjectiveDynamics, RigidStepNeverRaisesTheObjective) {
  OneStage stage = released(solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e9}}), 180, 0.1);
  const auto solver = published_solver("projective_dynamics", {{"rigid_step", true}});
  solver->tracing = true;
  std::vector<double> y;
  const SolveReport report = stage.solve(*solver, {.iterations = 100, .tolerance = 0}, y);
  for (std::size_t i = 1; i < report.trace.size(); ++i)
    ASSERT_LE(report.trace[i].objective, report.trace[i - 1].objective * (1 + 1e-12));
}

// A hand that pulls has an energy too: what is reported is the objective at the point that is returned.
TEST(ProjectiveDynamics, ReportsTheObjectiveWithWhatHolds) {
  Model model = solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e6}});
  const auto q = model.rest;
  const std::vector<double> target = {q[0] - 0.5, q[1] + 0.3, q[2]};
  model.listed.push_back({"hand", Elements::points(std::array{0}), {make_pin(1e5, target, {})}});
  OneStage stage(std::move(model), q, 0.02);
  std::vector<double> y;
  const SolveReport report =
      stage.solve(*published_solver("projective_dynamics"), {.iterations = 5, .tolerance = 0}, y);
  EXPECT_LT(y[0], q[0] - 0.01) << "it is pulled";
  const double value = stage.value(y);
  EXPECT_NEAR(report.objective, value, 1e-12 * value);
}

}  // namespace
}  // namespace resilin::test
