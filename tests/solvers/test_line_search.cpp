#include <gtest/gtest.h>

#include <cmath>

#include "lab/setup.h"
#include "resilin/errors.h"
#include "solvers/line_search.h"

namespace resilin::lab {
namespace {

struct Searched {
  Trial trial;
  double value, slope, trial_slope;
};

// Along -factor g from a twisted bar.
Searched along_gradient(const LineSearch& search, double factor) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  const auto q = twisted(model.rest, 60);
  OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.0), 0.02);
  DescentWorkspace w;
  for (auto* v : {&w.gradient, &w.trial_gradient, &w.direction, &w.trial}) v->resize(q.size());
  const double value = stage.objective().evaluate(q.data(), w.gradient.data());
  Searched out{{}, value, 0, 0};
  for (std::size_t i = 0; i < q.size(); ++i)
    w.direction[i] = -factor * w.gradient[i], out.slope += w.gradient[i] * w.direction[i];
  SolveReport report;
  out.trial = line_search(stage.objective(), {q, value, out.slope, 0}, search, w, report);
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
  EXPECT_EQ(s.trial.alpha, std::pow(0.5, s.trial.evaluations - 1));
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
  EXPECT_THROW(make_solver("quasi_newton", {{"search", "strong_wolfe"}, {"gamma", 0.95}}), InputError);
}

}  // namespace
}  // namespace resilin::lab
