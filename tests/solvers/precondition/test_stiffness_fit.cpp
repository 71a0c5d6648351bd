#include <gtest/gtest.h>

#include <cmath>

#include "resilin/errors.h"
#include "resilin/registry.h"
#include "solvers/precondition/stiffness_fit.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

StiffnessFit fit(const std::string& stiffness = "stretches") {
  return StiffnessFit(
      plugin<SolverPlugin>("solver", "quasi_newton", "test").params.read(Value(Values{{"stiffness", stiffness}})));
}

OneStage beam(const std::string& material, const Values& params) {
  Model model = solid(beam_mesh(1), 1000, material, params);
  const auto q = model.rest;
  return OneStage(std::move(model), q, 0.02);
}

std::vector<double> stretched(const std::vector<double>& rest, double by) {
  std::vector<double> y = rest;
  for (double& x : y) x *= by;
  return y;
}

TEST(StiffnessFit, IsEquation11OnTheStretchesThatOccur) {
  OneStage stage = beam("polynomial", {{"mu", 3e4}});
  const auto& rest = stage.problem().elements().model().rest;
  // f = 4 mu e^3 and k = 0.6 mu; beyond the interval its end counts.
  for (const auto& [by, e] : {std::pair{1.1, 0.1}, {0.9, 0.1}, {1.3, 0.3}, {4.0, 0.5}, {-1.0, 0.5}}) {
    const auto& found = stage.problem().constant().sum_stretches(stretched(rest, by).data());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].stress / found[0].stiffness, 4 * e * e / 0.6, 1e-9) << by;
  }
}

TEST(StiffnessFit, LeavesLinearStressesAlone) {
  OneStage stage = beam("corotated", {{"young", 1e5}, {"poisson", 0.3}});
  const auto y = twisted(stage.problem().elements().model().rest, 90);
  const auto& found = stage.problem().constant().sum_stretches(y.data());
  EXPECT_NEAR(found[0].stress / found[0].stiffness, 1, 1e-9);
  Memory memory;
  StiffnessFit fitted = fit();
  fitted.update(stage.problem(), y.data(), memory);
  EXPECT_EQ(stage.problem().constant().stamp(), stage.problem().revision().stiffness);
}

TEST(StiffnessFit, ElementsWithAModulusOfTheirOwnAreScaledAlike) {
  const int tets = solid(beam_mesh(1), 1000, "polynomial", {}).terms[0].elements.size();
  Value::List mu(tets, 1e4);
  for (int i = 0; i < tets; i += 3) mu[i] = 1e6;
  OneStage stage = beam("polynomial", {{"mu", Value(mu)}});
  const auto y = stretched(stage.problem().elements().model().rest, 1.2);
  ConstantMatrix& constant = stage.problem().constant();
  const auto& found = constant.sum_stretches(y.data());
  EXPECT_NEAR(found[0].stress / found[0].stiffness, 4 * 0.04 / 0.6, 1e-9);
  constant.scale({0.25});
  double q[9];
  for (const int i : {0, 1}) {
    constant.element_stiffness(0, i, q);
    EXPECT_NEAR(q[0], 0.25 * 0.6 * mu[i].number(), 1e-6 * q[0]);
  }
}

TEST(StiffnessFit, ScalesTheConstantHessianUntilTheNextStage) {
  OneStage stage = beam("polynomial", {{"mu", 1e5}});
  ConstantMatrix& constant = stage.problem().constant();
  const SymmetricMatrix one = constant.matrix();
  const auto revision = constant.stamp();
  constant.scale({3});
  const SymmetricMatrix three = constant.matrix();
  const auto scaled = constant.stamp();
  EXPECT_NE(scaled, revision);
  constant.scale({0});
  const SymmetricMatrix none = constant.matrix();
  for (std::size_t i = 0; i < one.value.size(); ++i)
    EXPECT_NEAR(three.value[i] - none.value[i], 3 * (one.value[i] - none.value[i]),
                1e-9 * std::abs(three.value[i]));
  constant.scale({3});
  EXPECT_EQ(constant.stamp(), scaled);
  stage.system().begin(stage.stage());
  EXPECT_EQ(constant.stamp(), revision);
  EXPECT_EQ(constant.matrix().value, one.value);
}

TEST(StiffnessFit, FollowsTheMeanOfTheLastStagesInSteps) {
  OneStage stage = beam("polynomial", {{"mu", 1e5}});
  Problem& problem = stage.problem();
  const auto& rest = problem.elements().model().rest;
  StiffnessFit fitted = fit();
  Memory memory;
  const auto scale = [&](double strain) {
    fitted.update(problem, stretched(rest, 1 + strain).data(), memory);
    return memory.entries.at("quasi_newton.stiffness").values[0];
  };
  EXPECT_EQ(scale(0), 1);  // nothing to fit
  const double used = scale(0.1);
  EXPECT_NEAR(used, std::exp2(-3.5), 1e-12);  // 0.067, up to a power of sqrt(2)
  for (const double strain : {0.13, 0.075, 0.2, 0.1, 0.0}) EXPECT_EQ(scale(strain), used) << strain;
  double grown = 0, fallen = 0;
  for (int i = 0; i < 30; ++i) grown = scale(0.2);
  EXPECT_GT(1.5 * grown, 4 * 0.04 / 0.6 * 0.999);
  EXPECT_LT(grown, 2 * 4 * 0.04 / 0.6);
  EXPECT_EQ(scale(0.1), grown);  // one stage of a fourth of that is not enough
  for (int i = 0; i < 30; ++i) fallen = scale(0.02);
  EXPECT_GT(1.5 * fallen, 4 * 0.0004 / 0.6 * 0.999);
  EXPECT_LT(fallen, 2.01 * 4 * 0.0004 / 0.6);
  EXPECT_GT(scale(0.2), 4 * 0.04 / 0.6);  // a blow counts at once
}

TEST(StiffnessFit, ReachesTheSameMinimumInFewerIterationsAndKeepsItsFactor) {
  for (const int modes : {0, 4}) {
    Model model = solid(beam_mesh(3), 1000, "polynomial", {{"mu", 5e6}});
    pin(model, {0, 1, 2, 3});
    auto q = twisted(model.rest, 20);
    for (int k = 0; k < 12; ++k) q[k] = model.rest[k];
    OneStage stage(std::move(model), q, 0.03);
    std::vector<double> reference, y;
    const double minimum = stage.minimum(reference, 1e-10);
    int iterations[2];
    for (const bool stretches : {false, true}) {
      const auto solver = published_solver(
          "quasi_newton", {{"coarse_modes", modes}, {"stiffness", stretches ? "stretches" : "interval"}});
      const SolveReport report = stage.solve(*solver, {.iterations = 2000, .gradient = 1e-5}, y);
      EXPECT_NEAR(report.objective, minimum, 1e-6 * minimum);
      iterations[stretches ? 1 : 0] = report.iterations;
      EXPECT_EQ(stage.solve(*solver, {.iterations = 1}, y).factorisations, 0);
    }
    EXPECT_LT(iterations[1], 0.7 * iterations[0]) << modes;
  }
}

TEST(StiffnessFit, AResumedRunGoesOnAsIfItHadNotStopped) {
  const auto start = [] {
    Model model = solid(beam_mesh(2), 1000, "polynomial", {{"mu", 5e5}});
    pin(model, {0, 1, 2, 3, 4, 5, 6, 7, 8});
    model.gravity = {0, -9.81, 0};
    return published_simulation(std::move(model), 0.03, "quasi_newton",
                                {{"stiffness", "stretches"}, {"coarse_modes", 2}});
  };
  const auto whole = start(), first = start(), second = start();
  int factorisations = 0;
  for (int i = 0; i < 12; ++i) factorisations += whole->step().solve.factorisations;
  EXPECT_GE(factorisations, 2);  // so that there is something to resume
  for (int i = 0; i < 7; ++i) first->step();
  second->set_state(first->state());
  for (int i = 0; i < 5; ++i) second->step();
  EXPECT_EQ(hash(second->state()), hash(whole->state()));
}

TEST(StiffnessFit, IsRefusedWithoutTheProjectiveHessian) {
  EXPECT_THROW(published_solver("quasi_newton", {{"stiffness", "stretches"}, {"initial_hessian", "rest_pose"}}),
               InputError);
}

}  // namespace
}  // namespace resilin::test
