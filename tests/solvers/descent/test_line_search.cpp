#include <gtest/gtest.h>

#include <cmath>

#include "resilin/errors.h"
#include "solvers/descent/line_search.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

struct Searched {
  Descending trial;
  double value, slope, trial_slope;
};

// Along -factor g from a twisted bar.
Searched along_gradient(const LineSearch& search, double factor) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  const auto q = twisted(model.rest, 60);
  OneStage stage(std::move(model), q, 0.02);
  DescentWorkspace w;
  for (auto* v : {&w.gradient, &w.trial_gradient, &w.direction, &w.trial}) v->resize(q.size());
  const Evaluation start = stage.problem().evaluate(q.data(), w.gradient.data());
  w.bodies.resize(1), w.active.resize(1);
  w.bodies[0].take(start.components[0]);
  w.bodies[0].round_off = 0;
  Searched out{{}, start.value(), 0, 0};
  for (std::size_t i = 0; i < q.size(); ++i)
    w.direction[i] = -factor * w.gradient[i], out.slope += w.gradient[i] * w.direction[i];
  w.bodies[0].slope = out.slope;
  line_search(stage.problem(), q, search, w);
  out.trial = w.bodies[0];
  for (std::size_t i = 0; i < q.size(); ++i) {
    out.trial_slope += w.trial_gradient[i] * w.direction[i];
    EXPECT_DOUBLE_EQ(w.trial[i], q[i] + out.trial.alpha * w.direction[i]);
  }
  EXPECT_DOUBLE_EQ(out.trial.value, stage.value(w.trial));
  return out;
}

TEST(LineSearch, ArmijoHalvesUntilTheDecreaseIsSufficient) {
  const Searched s = along_gradient({}, 1e-4);
  ASSERT_TRUE(s.trial.accepted);
  EXPECT_LE(s.trial.value, s.value + 0.3 * s.trial.alpha * s.slope);
  EXPECT_EQ(s.trial.alpha, std::pow(0.5, s.trial.trials - 1));
}

TEST(LineSearch, AParabolaNeedsNoMoreTrialsThanHalves) {
  LineSearch parabola;
  parabola.parabola = true;
  const Searched s = along_gradient(parabola, 1e-4), halves = along_gradient({}, 1e-4);
  ASSERT_TRUE(s.trial.accepted);
  EXPECT_LE(s.trial.value, s.value + 0.3 * s.trial.alpha * s.slope);
  EXPECT_LE(s.trial.trials, halves.trial.trials);
}

// Two bars far from each other: the length of one says nothing of the other.
TEST(LineSearch, EveryComponentHasItsOwnLength) {
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(Solid{.mesh = beam_mesh(1)});
  TetMesh other = beam_mesh(1);
  for (std::size_t i = 1; i < other.vertices.size(); i += 3) other.vertices[i] += 10;
  builder.add(Solid{.mesh = other});
  Model model = std::move(builder).model();
  auto q = twisted(model.rest, 0);
  const auto half = q.size() / 2;
  for (std::size_t i = 0; i < half; i += 3) q[i] *= 1.2;  // stretched
  for (std::size_t i = half; i < q.size(); i += 3) q[i] *= 1.01;
  OneStage stage(std::move(model), q, 0.02);
  DescentWorkspace w;
  for (auto* v : {&w.gradient, &w.trial_gradient, &w.direction, &w.trial}) v->resize(q.size());
  const Evaluation start = stage.problem().evaluate(q.data(), w.gradient.data());
  ASSERT_EQ(stage.problem().space().components().count(), 2);
  w.bodies.resize(2), w.active.resize(2);
  for (int c = 0; c < 2; ++c) w.bodies[c].take(start.components[c]);
  for (std::size_t i = 0; i < q.size(); ++i) {
    w.direction[i] = -(i < half ? 1e-3 : 1e-9) * w.gradient[i];
    w.bodies[i < half ? 0 : 1].slope += w.gradient[i] * w.direction[i];
  }
  const int evaluations = line_search(stage.problem(), q, {}, w);
  EXPECT_TRUE(w.bodies[0].accepted && w.bodies[1].accepted);
  EXPECT_GT(w.bodies[0].trials, 1);
  EXPECT_EQ(w.bodies[1].trials, 1);
  EXPECT_EQ(w.bodies[1].alpha, 1);
  EXPECT_EQ(evaluations, w.bodies[0].trials);
}

TEST(LineSearch, StrongWolfeHoldsForStepsThatBeginTooLongAndTooShort) {
  LineSearch search;
  search.wolfe = true;
  search.curvature = 0.5;
  for (const double factor : {1e-2, 1e-4, 1e-7, 1e-9}) {
    const Searched s = along_gradient(search, factor);
    ASSERT_TRUE(s.trial.accepted) << factor;
    EXPECT_LE(s.trial.value, s.value + 0.3 * s.trial.alpha * s.slope) << factor;
    EXPECT_LE(std::abs(s.trial_slope), -0.5 * s.slope) << factor;
  }
}

TEST(LineSearch, RefusesADecreaseThatTheCurvatureConditionCannotMeet) {
  EXPECT_THROW(published_solver("quasi_newton", {{"search", "strong_wolfe"}, {"gamma", 0.95}}), InputError);
}

}  // namespace
}  // namespace resilin::test
