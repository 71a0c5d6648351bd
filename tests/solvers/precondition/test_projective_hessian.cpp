// When the parts of the default preconditioner are made anew. Whatever it has seen before, it is what another one
// is that has seen the newest point only.
#include <gtest/gtest.h>

#include "resilin/registry.h"
#include "resilin/solver.h"
#include "solvers/precondition/initial_hessian.h"
#include "solvers/precondition/pressed.h"

namespace resilin {
namespace {

std::unique_ptr<InitialHessian> make(int modes) {
  const Values values = {{"linear_solver", "cholesky"}, {"coarse_modes", modes}};
  return make_initial_hessian(plugin<SolverPlugin>("solver", "quasi_newton", "test").params.read(Value(values)));
}

std::vector<double> applied(InitialHessian& hessian, Problem& problem, const std::vector<double>& y) {
  const std::vector<double> r = random_load(y.size(), 3);
  std::vector<double> d(r.size());
  hessian.solve(problem, y, 0, r.data(), d.data());
  return d;
}

std::vector<double> applied_after(int modes, Problem& problem, const std::vector<double>& y, int iterations) {
  const auto hessian = make(modes);
  Memory memory;
  EXPECT_GE(hessian->begin(problem, y, memory), 0);
  hessian->iterate(problem, y, iterations);
  return applied(*hessian, problem, y);
}

// Bodies that touch within a stage: from then on their interfaces have rows.
TEST(ProjectiveHessian, InterfacesThatComeInAStageAreTakenIn) {
  const auto simulation = pressed_boxes(0);
  Problem& problem = simulation->system().problem();
  const std::vector<double> y = simulation->positions();
  std::vector<double> apart = y;
  for (std::size_t i = y.size() / 2 + 1; i < y.size(); i += 3) apart[i] += 0.05;
  ASSERT_GT(problem.linearise(y.data()).pairs().size(), 10u);
  ASSERT_EQ(problem.linearise(apart.data()).pairs().size(), 0u);
  const auto hessian = make(0);
  Memory memory;
  ASSERT_GE(hessian->begin(problem, apart, memory), 0);
  hessian->iterate(problem, apart, 1);
  const std::vector<double> before = applied(*hessian, problem, apart);
  hessian->iterate(problem, y, 2);
  const std::vector<double> wanted = applied_after(0, problem, y, 2);
  EXPECT_LT(relative_gap(applied(*hessian, problem, y), wanted), 1e-9);
  EXPECT_GT(relative_gap(before, wanted), 0.01);
}

// Rows of interfaces are solved for with what is inside of them: without its coarse level that is another operator.
TEST(ProjectiveHessian, RowsFollowACoarseLevelThatIsDropped) {
  const auto simulation = pressed_boxes();
  Problem& problem = simulation->system().problem();
  const std::vector<double> y = simulation->positions();
  const auto hessian = make(5);
  Memory memory;
  ASSERT_GE(hessian->begin(problem, y, memory), 0);
  hessian->iterate(problem, y, 1);
  const std::vector<double> wanted = applied_after(0, problem, y, 1);
  EXPECT_GT(relative_gap(applied(*hessian, problem, y), wanted), 0.01);
  for (int component = 0; component < 2; ++component)
    for (int cut = 0; cut < 3; ++cut) hessian->searched(component, true);
  hessian->iterate(problem, y, 2);
  EXPECT_LT(relative_gap(applied(*hessian, problem, y), wanted), 1e-9);
}

// The coarse level knows of the ground what the rows know of it.
TEST(ProjectiveHessian, TheCoarseLevelFollowsContactThatComesLater) {
  BoxOnGround scene(1.0 / 60);
  const std::vector<double> above = scene.lifted(0.05), touching = scene.lifted(-0.002);
  const auto hessian = make(5);
  Memory memory;
  ASSERT_GE(hessian->begin(scene.problem(), above, memory), 0);
  hessian->iterate(scene.problem(), above, 1);
  const std::vector<double> before = applied(*hessian, scene.problem(), above);
  for (int iteration = 2; iteration < 8; ++iteration) hessian->iterate(scene.problem(), touching, iteration);
  const std::vector<double> wanted = applied_after(5, scene.problem(), touching, 1);
  EXPECT_LT(relative_gap(applied(*hessian, scene.problem(), touching), wanted), 1e-4);
  EXPECT_GT(relative_gap(before, wanted), 0.01);
}

// A stage begins with the constant Hessian, not with the coarse level of the stage before.
TEST(ProjectiveHessian, AStageBeginsWithoutTheCoarseLevelOfTheLastOne) {
  BoxOnGround scene(1.0 / 60);
  const std::vector<double> y = scene.lifted(0.05);
  const auto hessian = make(5);
  Memory memory;
  ASSERT_GE(hessian->begin(scene.problem(), y, memory), 0);
  const std::vector<double> first = applied(*hessian, scene.problem(), y);
  hessian->iterate(scene.problem(), y, 1);
  EXPECT_GT(relative_gap(applied(*hessian, scene.problem(), y), first), 0.01);
  ASSERT_GE(hessian->begin(scene.problem(), y, memory), 0);
  EXPECT_LT(relative_gap(applied(*hessian, scene.problem(), y), first), 1e-12);
}

}  // namespace
}  // namespace resilin
