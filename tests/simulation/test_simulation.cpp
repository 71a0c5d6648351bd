#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "potentials/pin.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "resilin/simulation.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(Simulation, AFailedStepLeavesTheStateAsItWas) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {});
  const auto simulation = make_simulation(std::move(model), {.step = 0.01});
  simulation->step();
  State broken = simulation->state();
  broken.v[5] = std::numeric_limits<double>::infinity();
  simulation->set_state(broken);
  const std::uint64_t before = hash(simulation->state());
  EXPECT_EQ(simulation->step().status, Status::not_finite);
  EXPECT_EQ(hash(simulation->state()), before);
  EXPECT_EQ(simulation->state().step, 1);
}

TEST(Simulation, PostedEditsActAtTheNextStep) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {});
  const auto simulation = make_simulation(std::move(model), {.step = 0.01});
  simulation->post(Kick{"", {2, 0, 0}});
  EXPECT_EQ(simulation->momentum()[0], 0);
  simulation->step();
  EXPECT_NEAR(simulation->momentum()[0], 2 * simulation->model().total_mass(), 1e-9);
}

// Two simulations of copies of one model share its potentials: nothing may be written into them.
TEST(Simulation, CopiesOfAModelRunInTwoThreads) {
  Model model = solid(beam_mesh(2), 1000, "neo_hookean", {});
  MotionStep swing{MotionStep::Kind::translate, {0, 1, 0}, {0, 0, 0}, {}};
  swing.amount = {.constant = 0, .amplitude = 0.3, .frequency = 5, .phase = 0, .keyframes = {}};
  const std::vector<int> ends = {0, 1, 2, 3};
  const std::vector<double> start(model.rest.begin(), model.rest.begin() + 12);
  model.terms.push_back({"soft", Elements::points(ends), {make_pin(1e5, start, Motion({swing}))}});
  const auto run = [](Model copy, double step) {
    const auto simulation = make_simulation(std::move(copy), {.step = step, .threads = 1});
    for (int i = 0; i < 40; ++i) simulation->step();
    return hash(simulation->state());
  };
  const std::uint64_t alone[2] = {run(model, 0.01), run(model, 0.004)};
  for (int trial = 0; trial < 3; ++trial) {
    std::uint64_t together[2];
    std::thread other([&] { together[1] = run(model, 0.004); });
    together[0] = run(model, 0.01);
    other.join();
    EXPECT_EQ(together[0], alone[0]);
    EXPECT_EQ(together[1], alone[1]);
  }
}

TEST(Simulation, SnapshotsAreValues) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {});
  model.gravity = {0, -9.81, 0};
  pin(model, {0, 1});
  const auto simulation = make_simulation(std::move(model), {.step = 0.01});
  for (int i = 0; i < 5; ++i) simulation->step();
  const State saved = simulation->state();
  for (int i = 0; i < 5; ++i) simulation->step();
  const std::uint64_t first = hash(simulation->state());
  simulation->set_state(saved);
  for (int i = 0; i < 5; ++i) simulation->step();
  EXPECT_EQ(hash(simulation->state()), first);
}

TEST(Simulation, ObserversSeeEveryCommittedStep) {
  Model model = solid(beam_mesh(1), 1000, "arap", {});
  const auto simulation = make_simulation(std::move(model), {.step = 0.01, .solver = "projective_dynamics"});
  std::vector<double> times;
  simulation->observe([&](const Simulation& s, const StepReport&) { times.push_back(s.state().time); });
  for (int i = 0; i < 3; ++i) simulation->step();
  ASSERT_EQ(times.size(), 3u);
  EXPECT_NEAR(times[2], 0.03, 1e-15);
}

TEST(Simulation, BadStepsAndMasslessVerticesAreRefused) {
  EXPECT_THROW(make_simulation(solid(beam_mesh(1), 1000, "arap", {}), {.step = 0}), InputError);
  Model model = solid(beam_mesh(1), 1000, "arap", {});
  model.add_vertices(std::vector<double>{9, 9, 9});
  EXPECT_THROW(make_simulation(std::move(model), {.step = 0.01}), InputError);
}

// Random, flattened, mirrored, all in one point, on a line; at rest, without forces. No step is rejected, and the
// first step of a solver that minimises makes no energy: Phi(y) = T + V(y) is at most Phi(guess) = V(q).
TEST(Simulation, AnyStartIsSurvivedWithoutEnergyFromNothing) {
  for (const auto& entry : registry<SolverPlugin>())
    for (const char* material :
         {"arap", "corotated", "neo_hookean", "st_venant_kirchhoff", "mooney_rivlin", "polynomial"})
      for (int start = 0; start < 5; ++start) {
        SCOPED_TRACE(entry.name + " " + material + " start " + std::to_string(start));
        Model model = solid(beam_mesh(1), 1000, material, {});
        std::unique_ptr<Simulation> simulation;
        try {
          simulation = make_simulation(std::move(model), {.solver = entry.name});
        } catch (const InputError&) {
          continue;
        }
        State state = simulation->state();
        Random random(start + 1);
        for (std::size_t i = 0; i < state.q.size(); i += 3) {
          double* x = &state.q[i];
          if (start == 0)
            for (int k = 0; k < 3; ++k) x[k] = random.uniform(-2, 2);
          if (start == 1) x[1] = 0;
          if (start == 2) x[0] = -x[0];
          if (start == 3) x[0] = x[1] = x[2] = 0.25;
          if (start == 4) x[1] = x[2] = 0;
        }
        simulation->set_state(state);
        const double before = simulation->energy().elastic;
        for (int i = 0; i < 10; ++i) {
          ASSERT_NE(simulation->step().status, Status::not_finite) << "step " << i;
          const Energy after = simulation->energy();
          if (i == 0 && entry.plugin.minimises) {
            EXPECT_LE(after.kinetic + after.elastic, before * (1 + 1e-9));
          }
        }
      }
}

}  // namespace
}  // namespace resilin::test
