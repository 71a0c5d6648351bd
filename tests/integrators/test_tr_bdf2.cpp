#include <gtest/gtest.h>

#include <complex>

#include "integrators/oscillator.h"
#include "integrators/told_stepper.h"
#include "integrators/tr_bdf2.h"
#include "resilin/builder.h"
#include "resilin/shapes.h"

namespace resilin::test {
namespace {

// E25: the stability function R(z), z = i w h, for v and x as one complex number.
TEST(TrBdf2, ReproducesItsStabilityFunction) {
  for (const double gamma : {tr_bdf2_best_gamma, 0.3, 0.5, 0.8}) {
    const double w = 3, h = 0.1;
    const std::complex<double> z(0, w * h);
    const std::complex<double> middle = (1.0 + gamma / 2 * z) / (1.0 - gamma / 2 * z);
    const std::complex<double> factor =
        (middle - (1 - gamma) * (1 - gamma)) / (gamma * (2 - gamma)) / (1.0 - (1 - gamma) / (2 - gamma) * z);
    const auto [x, v] = after(*oscillator("tr_bdf2", w, h, {{"gamma", gamma}}), 25);
    const std::complex<double> expected = std::pow(factor, 25);  // y = x - i v/w
    EXPECT_NEAR(x, expected.real(), 1e-12) << gamma;
    EXPECT_NEAR(v / w, -expected.imag(), 1e-12) << gamma;
  }
}

TEST(TrBdf2, BothStagesShareOneFactorisation) {
  const std::vector<StageRecipe> stages = tr_bdf2_recipe(0.01).stages;
  EXPECT_EQ(stages[0].tau, stages[1].tau);
  EXPECT_NEAR(stages[0].tau / 0.01, 1 - std::sqrt(0.5), 1e-15);
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  model.gravity = {0, -9.81, 0};
  pin(model, {0, 1, 2, 3});
  const auto simulation = published_simulation(std::move(model), 0.01, "quasi_newton", {}, "tr_bdf2");
  int factorisations = 0;
  for (int i = 0; i < 5; ++i) factorisations += simulation->step().solve.factorisations;
  EXPECT_EQ(factorisations, 1);
}

// Eq. 37: what the step recovers is the force of its end, so a continued and a restarted run agree.
TEST(TrBdf2, RecoveredForceEqualsTheExplicitOne) {
  auto kept = oscillator("tr_bdf2", 3, 0.1), restarted = oscillator("tr_bdf2", 3, 0.1);
  for (int i = 0; i < 10; ++i) {
    kept->step();
    restarted->step();
    State state = restarted->state();
    state.history = {};
    restarted->set_state(state);
  }
  EXPECT_NEAR(kept->state().q[3], restarted->state().q[3], 1e-12);
  EXPECT_NEAR(kept->state().v[3], restarted->state().v[3], 1e-11);
}

// A step that must not be used is never hidden by a stage that was merely cut short.
TEST(TrBdf2, ACancelledStageCancelsTheStep) {
  State now;
  now.q = {0, 0, 0}, now.v = {1, 0, 0};
  const auto end = [&](Status first, Status second) {
    State next = now;
    ToldStepper stepper({first, second});
    return make_integrator("tr_bdf2")->step(now, next, 0.1, stepper);
  };
  EXPECT_EQ(end(Status::iteration_limit, Status::cancelled), Status::cancelled);
  EXPECT_EQ(end(Status::time_limit, Status::not_finite), Status::not_finite);
  EXPECT_EQ(end(Status::cancelled, Status::converged), Status::cancelled);
  EXPECT_EQ(end(Status::converged, Status::stalled), Status::stalled);
  EXPECT_EQ(end(Status::iteration_limit, Status::converged), Status::iteration_limit);
}

}  // namespace
}  // namespace resilin::test
