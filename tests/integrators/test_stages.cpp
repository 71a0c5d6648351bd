// What integrators ask for, seen by a stepper that writes it down.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "integrators/told_stepper.h"
#include "resilin/builder.h"

namespace resilin::test {
namespace {

State moving() {
  State now;
  now.q = {0, 0, 0}, now.v = {1, 0, 0}, now.time = 3;
  return now;
}

// Loads and moving targets are those of the time for which a stage is solved; pins end at the end of the step.
TEST(Stages, AreSolvedAtTheirTimes) {
  const double h = 0.5, gamma = 2 - std::sqrt(2.0);
  const std::vector<std::pair<std::string, std::vector<double>>> wanted = {{"backward_euler", {3 + h}},
                                                                           {"implicit_midpoint", {3 + h / 2}},
                                                                           {"trapezoidal", {3 + h}},
                                                                           {"tr_bdf2", {3 + gamma * h, 3 + h}},
                                                                           {"linearly_implicit_euler", {3 + h}}};
  for (const auto& [name, times] : wanted) {
    const State now = moving();
    State next = now;
    ToldStepper stepper;
    ASSERT_EQ(make_integrator(name)->step(now, next, h, stepper), Status::converged);
    ASSERT_EQ(stepper.stages.size(), times.size()) << name;
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_NEAR(stepper.stages[i].time, times[i], 1e-12) << name;
      EXPECT_NE(std::find(stepper.external_times.begin(), stepper.external_times.end(), stepper.stages[i].time),
                stepper.external_times.end())
          << name;
    }
    EXPECT_EQ(stepper.prescribed, 3 + h) << name;
  }
}

TEST(Stages, NothingFollowsOneThatCannotBeUsed) {
  for (const Status end : {Status::cancelled, Status::not_finite}) {
    const State now = moving();
    State next = now;
    ToldStepper stepper({end});
    EXPECT_EQ(make_integrator("tr_bdf2")->step(now, next, 0.1, stepper), end);
    EXPECT_EQ(stepper.stages.size(), 1u);
  }
}

// The force at the start of a step is the one that the step before ended with, as long as nothing has changed.
TEST(Stages, ForcesAreRememberedUntilSomethingChanges) {
  for (const std::string name : {"trapezoidal", "tr_bdf2"}) {
    const auto integrator = make_integrator(name);
    State now = moving(), next = now;
    ToldStepper stepper;
    const auto asked = [&](double h) {
      const int before = stepper.accelerations;
      next = now;
      integrator->step(now, next, h, stepper);
      now = next;
      return stepper.accelerations - before;
    };
    EXPECT_EQ(asked(0.1), 1) << name;
    EXPECT_EQ(asked(0.1), 0) << name;
    now.v[1] += 1;  // a kick
    EXPECT_EQ(asked(0.1), 1) << name;
    now.q[1] += 1;
    EXPECT_EQ(asked(0.1), 1) << name;
    EXPECT_EQ(asked(0.2), 1) << name << ": another step";
    stepper.model.function = 7;
    EXPECT_EQ(asked(0.2), 1) << name << ": another model";
    EXPECT_EQ(asked(0.2), 0) << name;
  }
}

// BDF2 needs the state before: a step that cannot have it is one of TR-BDF2, with two stages.
TEST(Stages, Bdf2BeginsAnewWhenTheStateWasChanged) {
  const auto integrator = make_integrator("bdf2");
  State now = moving(), next = now;
  ToldStepper stepper;
  const auto stages = [&](double h) {
    const std::size_t before = stepper.stages.size();
    next = now;
    integrator->step(now, next, h, stepper);
    now = next;
    return stepper.stages.size() - before;
  };
  EXPECT_EQ(stages(0.1), 2u);
  EXPECT_EQ(stages(0.1), 1u);
  now.q[1] += 1;
  EXPECT_EQ(stages(0.1), 2u);
  now.v[1] += 1;
  EXPECT_EQ(stages(0.1), 2u);
  EXPECT_EQ(stages(0.2), 2u);
  stepper.model.function = 7;
  EXPECT_EQ(stages(0.2), 2u);
  EXPECT_EQ(stages(0.2), 1u);
}

}  // namespace
}  // namespace resilin::test
