// What host programs ask of a simulation besides steps: forces of their own, the first stage of the next step,
// models that are not registered.
#include <gtest/gtest.h>

#include <cmath>

#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/watch.h"

namespace resilin {
namespace {

Builder bar(bool pinned = true, std::shared_ptr<const MaterialPlugin> own = nullptr) {
  const TetMesh mesh = box({.size = {1, 0.2, 0.2}, .cells = {3, 1, 1}});
  Builder builder;
  builder.add(Solid{.mesh = mesh, .material = {own ? "mine" : "neo_hookean", {{"young", 1e5}}}, .own = own});
  if (pinned) builder.pin({.vertices = mesh.vertex_groups.at("x_min")});
  return builder;
}

const SimulationChoice tight{.step = 0.01, .solver = {"newton", {{"gradient_tolerance", 1e-12}}}, .threads = 1};

TEST(HostForces, AreNewtonsAndHoldUntilTheyAreTakenBack) {
  Builder builder = bar(false);
  builder.gravity({0, 0, 0});
  const auto s = builder.simulation(tight);
  std::vector<double> forces(s->positions().size(), 0.0);
  forces[4] = 2, forces[9] = -1;
  s->set_forces(forces);
  s->step(), s->step();
  const auto pushed = s->momentum();
  EXPECT_NEAR(pushed[1], 2 * 2 * 0.01, 1e-9);
  EXPECT_NEAR(pushed[0], -1 * 2 * 0.01, 1e-9);
  s->set_forces({});
  EXPECT_TRUE(s->model().forces.empty());
  s->step();
  EXPECT_NEAR(s->momentum()[1], pushed[1], 1e-9);
}

TEST(HostForces, AreTheSameAsThoseOfTheModel) {
  Builder builder = bar();
  builder.force({.vertices = {3}, .vector = {0, 5, 0}});
  const auto model = builder.simulation(tight), host = bar().simulation(tight);
  std::vector<double> forces(host->positions().size(), 0.0);
  forces[10] = 5;
  host->set_forces(forces);
  for (int i = 0; i < 3; ++i) model->step(), host->step();
  EXPECT_EQ(hash(model->state()), hash(host->state()));
  EXPECT_EQ(model->energy().external, host->energy().external);
}

TEST(HostForces, AreCheckedAndThenNothingHasChanged) {
  const auto s = bar().simulation(tight);
  std::vector<double> forces(s->positions().size(), 1.0);
  s->set_forces(forces);
  const std::size_t before = s->model().forces.size();
  EXPECT_THROW(s->set_forces(std::vector<double>(7, 0.0)), InputError);
  forces[2] = NAN;
  EXPECT_THROW(s->set_forces(forces), InputError);
  EXPECT_EQ(s->model().forces.size(), before);
}

TEST(FirstStage, IsTheOneThatTheStepSolves) {
  for (const char* integrator : {"backward_euler", "bdf2", "tr_bdf2"}) {
    SimulationChoice choice = tight;
    choice.integrator = integrator;
    const auto asked = bar().simulation(choice), plain = bar().simulation(choice);
    for (int i = 0; i < 3; ++i) asked->step(), plain->step();
    const Stage stage = asked->first_stage();
    EXPECT_GT(stage.tau, 0) << integrator;
    std::vector<double> gradient(stage.guess.size());
    const double start = asked->system().problem().evaluate(stage.guess.data(), gradient.data()).value();
    EXPECT_GT(start, 0);
    asked->step(), plain->step();
    EXPECT_EQ(hash(asked->state()), hash(plain->state())) << integrator;
    if (std::string(integrator) != "tr_bdf2") {  // whose first stage ends before the step does
      const double here = [&] {
        asked->system().begin(stage);
        return asked->system().problem().evaluate(asked->positions().data(), gradient.data()).gradient_norm();
      }();
      asked->system().begin(stage);
      const double there = asked->system().problem().evaluate(stage.guess.data(), gradient.data()).gradient_norm();
      EXPECT_LT(here, 1e-6 * there) << integrator;
    }
  }
}

TEST(FirstStage, ExplicitIntegratorsHaveNone) {
  SimulationChoice choice = tight;
  choice.integrator = "runge_kutta4", choice.step = 1e-4;
  EXPECT_THROW(bar().simulation(choice)->first_stage(), InputError);
}

TEST(OwnPlugins, AreTakenInPlaceOfRegisteredOnes) {
  const auto own = std::make_shared<MaterialPlugin>(find_plugin<MaterialPlugin>("neo_hookean")->plugin);
  Builder registered = bar(), mine = bar(true, own);
  registered.damp(0, {"rayleigh", {{"beta", 0.01}}});
  mine.damp(0, {"my_damping", {{"beta", 0.01}}},
            std::make_shared<DampingPlugin>(find_plugin<DampingPlugin>("rayleigh")->plugin));
  const auto a = registered.simulation(tight), b = mine.simulation(tight);
  for (int i = 0; i < 3; ++i) a->step(), b->step();
  EXPECT_EQ(hash(a->state()), hash(b->state()));
  EXPECT_EQ(b->model().terms[0].name, "mine of body1");
}

TEST(Watching, StopsASolveBetweenIterations) {
  SimulationChoice choice = tight;
  choice.solver = {"quasi_newton", {{"iterations", 100000}, {"gradient_tolerance", 1e-300}}};
  const auto s = bar().simulation(choice);
  s->step();
  const auto before = hash(s->state());
  int asked = 0;
  const Watch watch([](const std::string&) {}, [&] { return ++asked > 3; });
  EXPECT_EQ(s->step().status, Status::cancelled);
  EXPECT_EQ(hash(s->state()), before);
}

}  // namespace
}  // namespace resilin
