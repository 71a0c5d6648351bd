#include <gtest/gtest.h>

#include "lab/compare.h"
#include "lab/compare_reduction.h"
#include "lab/compare_report.h"
#include "lab/setup.h"
#include "resilin/errors.h"

namespace resilin::lab {
namespace {

Scene bar(const std::string& material = R"("neo_hookean", "young": 1e5, "poisson": 0.3)",
          const std::string& more = "") {
  return parse_scene(
      R"({"name": "bar", "step": 0.03, "frames": 6, "gravity": -9.81, )" + more +
          R"("bodies": [{"shape": {"type": "box", "size": [1, 0.25, 0.25], "cells": [4, 2, 2]}, "density": 1000,
               "material": {"type": )" +
          material + R"(}}],
              "pins": [{"select": "x_min"}]})",
      "bar.json");
}

CompareOptions options(const std::vector<std::string>& configurations) {
  CompareOptions out;
  for (const std::string& text : configurations) out.configurations.push_back(parse_configuration(text));
  out.frame = 3;
  out.iterations = 12;
  out.repeat = 2;
  return out;
}

std::string problem_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Compare, ErrorsFallFromOneTowardsTheReference) {
  const Comparison c = compare(bar(), options({"newton", "quasi_newton", "quasi_newton:history=0"}));
  EXPECT_LE(c.reference.residual, 1e-9 * c.reference.first_residual);
  ASSERT_EQ(c.contenders.size(), 3u);
  for (const Contender& one : c.contenders) {
    SCOPED_TRACE(one.configuration.name);
    ASSERT_EQ(one.trace.size(), static_cast<std::size_t>(one.report.iterations) + 1);
    EXPECT_DOUBLE_EQ(one.trace.front().relative_error, 1);
    EXPECT_DOUBLE_EQ(one.trace.front().record.objective, c.first_objective);
    EXPECT_LT(one.error(), 0.1);
    EXPECT_LT(one.trace.back().distance, one.trace.front().distance);
    for (std::size_t k = 1; k < one.trace.size(); ++k) {
      const IterationRecord &now = one.trace[k].record, &before = one.trace[k - 1].record;
      EXPECT_GE(now.seconds, before.seconds);
      EXPECT_NEAR(now.objective, now.inertia + now.potential, 1e-9 * std::abs(now.objective));
    }
  }
  EXPECT_LT(c.contenders[0].error(), 1e-9);
  EXPECT_LT(c.contenders[1].error(), c.contenders[2].error());
}

TEST(Compare, ResultsDoNotDependOnTheOrderNorOnThreads) {
  const std::vector<std::string> names = {"newton", "quasi_newton", "quasi_newton:history=0",
                                          "quasi_newton:line_search=false"};
  CompareOptions forward = options(names), backward = options({names[3], names[2], names[1], names[0]});
  forward.threads = 1;
  backward.threads = 2;
  backward.repeat = 1;
  const Comparison a = compare(bar(), forward), b = compare(bar(), backward);
  EXPECT_EQ(a.reference.objective, b.reference.objective);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Contender &x = a.contenders[i], &y = b.contenders[names.size() - 1 - i];
    EXPECT_EQ(x.configuration.name, y.configuration.name);
    EXPECT_EQ(x.hash, y.hash) << x.configuration.name;
    EXPECT_EQ(x.y, y.y);
  }
  EXPECT_NE(a.contenders[1].hash, a.contenders[2].hash);
}

TEST(Compare, TheStageIsTheOneThatTheIntegratorSolves) {
  for (const double share : {1.0, 0.5}) {
    const Scene scene = bar(R"("neo_hookean")", share == 1 ? "" : R"("integrator": "implicit_midpoint", )");
    const Comparison c = compare(scene, options({"newton"}));
    EXPECT_DOUBLE_EQ(c.stage.tau, share * scene.step);
    EXPECT_NEAR(c.stage.time, 3 * scene.step + share * scene.step, 1e-14);
    EXPECT_EQ(c.stage.origin, c.simulation->state().q);
    // The next step of the same simulation ends where the reference says.
    std::vector<double> expected = c.minimum;
    for (std::size_t i = 0; share != 1 && i < expected.size(); ++i)
      expected[i] = 2 * expected[i] - c.stage.origin[i];
    c.simulation->step();
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(c.simulation->state().q[i], expected[i], 1e-8);
  }
}

TEST(Compare, ConfigurationsCarryTheirOwnStopRule) {
  const Comparison c = compare(bar(), options({"quasi_newton:iterations=2", "quasi_newton"}));
  EXPECT_EQ(c.contenders[0].report.iterations, 2);
  EXPECT_EQ(c.contenders[1].report.iterations, 12);
  EXPECT_EQ(c.contenders[0].trace[2].record.objective, c.contenders[1].trace[2].record.objective);
}

TEST(Compare, ByDefaultEverySolverThatCanTakeTheScene) {
  CompareOptions all = options({});
  all.repeat = 1;
  const Comparison general = compare(bar(), all), projective = compare(bar(R"("arap")"), all);
  const auto has = [](const Comparison& c, const std::string& name) {
    return std::any_of(c.contenders.begin(), c.contenders.end(),
                       [&](const Contender& one) { return one.configuration.name == name; });
  };
  EXPECT_TRUE(has(general, "quasi_newton") && has(general, "quasi_newton:history=0") && has(general, "newton"));
  EXPECT_FALSE(has(general, "projective_dynamics"));
  EXPECT_TRUE(has(projective, "projective_dynamics"));
  ASSERT_FALSE(general.skipped.empty());
  EXPECT_NE(general.skipped[0].find("neo_hookean"), std::string::npos);
}

TEST(Compare, WrongUseIsToldClearly) {
  EXPECT_NE(problem_of([] { parse_configuration("quasinewton"); }).find("quasi_newton"), std::string::npos);
  const std::string parameter = problem_of([] { parse_configuration("quasi_newton:histroy=5"); });
  EXPECT_NE(parameter.find("histroy"), std::string::npos);
  EXPECT_NE(parameter.find("\"history\""), std::string::npos);
  EXPECT_NE(problem_of([] { parse_configuration("quasi_newton:history=-1"); }).find("history"), std::string::npos);
  EXPECT_NE(problem_of([] { parse_configuration("quasi_newton:history"); }).find("KEY=VALUE"), std::string::npos);
  EXPECT_NE(problem_of([] { parse_configuration("quasi_newton:"); }).find("KEY=VALUE"), std::string::npos);
  const std::string terms = problem_of([] { compare(bar(), options({"projective_dynamics"})); });
  EXPECT_EQ(terms.find("--solver projective_dynamics: "), 0u);
  EXPECT_NE(terms.find("neo_hookean"), std::string::npos);
  EXPECT_NE(problem_of([] { compare(bar(), options({"newton", "newton"})); }).find("twice"), std::string::npos);
  CompareOptions late = options({"newton"});
  late.frame = 7;
  EXPECT_EQ(problem_of([&] { compare(bar(), late); }), "--frame: 7 is beyond the run: bar has frames 0 to 6");
}

TEST(Compare, AReducedSceneIsComparedWithItsFullOne) {
  const Scene scene =
      bar(R"("arap", "stiffness": 1e4)",
          R"("solver": "projective_dynamics", "reduction": {"handles": 6, "fit_handles": 3, "samples": 12}, )");
  CompareOptions chosen = options({});
  chosen.iterations = 30;
  const Comparison c = compare(scene, chosen);
  ASSERT_EQ(c.contenders.size(), 3u);
  ASSERT_EQ(c.runs.size(), 3u);
  const Contender &full = c.contenders[0], &subspace = c.contenders[1], &reduced = c.contenders[2];
  EXPECT_EQ(reduced.configuration.name, "projective_dynamics:unknowns=reduced");
  for (const Contender& one : c.contenders) EXPECT_EQ(one.y.size(), c.minimum.size());
  // All are measured by the same function of all vertices, over less of which the subspace minimises.
  EXPECT_LT(full.error(), 1e-3);
  EXPECT_GT(subspace.error(), full.error());
  EXPECT_GT(reduced.error(), full.error());
  EXPECT_LT(subspace.error(), subspace.trace.front().relative_error);
  EXPECT_TRUE(c.runs[0]->projection.empty());
  EXPECT_EQ(c.runs[0]->distance.size(), 3u);
  EXPECT_EQ(c.runs[2]->right_side.size(), 3u);
  EXPECT_EQ(c.runs[1]->projection, c.runs[2]->projection);  // of the same handles
  EXPECT_LT(c.runs[1]->elements(), c.runs[0]->elements() + 1);
  EXPECT_EQ(c.runs[2]->elements(), 12);
  for (const double error : c.runs[1]->projection) EXPECT_LE(error, c.runs[1]->distance.back() + 0.1);
  const Value document = comparison_value(c);
  EXPECT_EQ(document.find("reduction")->list().size(), 3u);
  RenderOptions small;
  small.width = 64, small.height = 48, small.samples = 1;
  const std::string html = comparison_html(c, small);
  for (const char* part : {"Projection of the reference", "Right side from samples", "Distance of runs"})
    EXPECT_NE(html.find(part), std::string::npos) << part;

  EXPECT_NE(problem_of([&] { compare(scene, options({"newton"})); }).find("unknowns=full"), std::string::npos);
  EXPECT_NO_THROW(compare(scene, options({"newton:unknowns=full"})));
  EXPECT_NE(problem_of([] { compare(bar(), options({"newton:unknowns=full"})); }).find("no \"reduction\""),
            std::string::npos);
  EXPECT_NE(problem_of([] { parse_configuration("newton:unknowns=few"); }).find("full, subspace or reduced"),
            std::string::npos);
}

TEST(Compare, TheReportHoldsEveryConfiguration) {
  const Comparison c = compare(bar(), options({"newton", "quasi_newton"}));
  const Value document = comparison_value(c);
  EXPECT_EQ(document.find("configurations")->list().size(), 2u);
  EXPECT_EQ(document.find("configurations")->list()[1].find("parameters")->find("history")->integer(), 5);
  const std::string csv = comparison_csv(c);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')),
            1 + c.contenders[0].trace.size() + c.contenders[1].trace.size());
  RenderOptions small;
  small.width = 64, small.height = 48, small.samples = 1;
  const std::string html = comparison_html(c, small);
  for (const char* part :
       {"Relative error by iteration", "Relative error by time", "Inertial part", "Elastic part", "Step length"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  std::size_t pictures = 0;
  for (std::size_t at = html.find("<img"); at != std::string::npos; at = html.find("<img", at + 1)) ++pictures;
  EXPECT_EQ(pictures, 3u);
}

}  // namespace
}  // namespace resilin::lab
