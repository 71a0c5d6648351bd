#include <gtest/gtest.h>

#include <cmath>

#include "resilin/ledger.h"
#include "resilin/scene.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

const Values exact = {{"iterations", 100}, {"gradient_tolerance", 1e-12}, {"hessian", "exact_first"}};

double total_loss(const Ledger& ledger) {
  double sum = 0;
  for (const LedgerEntry& entry : ledger.entries()) sum += entry.numerical_loss;
  return sum;
}

Model falling() {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.3}});
  model.gravity = {0, -9.81, 0};
  return model;
}

// Three springs in a row, shaken at one end.
std::unique_ptr<Simulation> shaken_chain(const std::string& pin, int substeps) {
  return build_simulation(parse_scene(
      R"({"step": 0.02, "frames": 25, "gravity": -9.81, "integrator": "implicit_midpoint",
          "solver": {"type": "newton", "iterations": 100, "gradient_tolerance": 1e-11}, "substeps": )" +
          std::to_string(substeps) + R"(,
          "bodies": [{"springs": {"vertices": [[0,0,0],[0,-1,0],[0,-2,0],[0,-3,0]], "edges": [[0,1],[1,2],[2,3]],
                                  "stiffness": 300, "mass": 0.5, "vertex_groups": {"top": [0]}}}],
          "pins": [{"select": "top", "motion": {"translate": {"direction": [1, 1, 0], "amplitude": 0.2, "frequency": 2}})" +
          pin + "}]}",
      "chain.json"));
}

TEST(Ledger, FreeFallUnderImplicitMidpointLosesNothing) {
  const auto simulation =
      make_simulation(falling(), {.step = 0.02, .solver = {"newton", exact}, .integrator = "implicit_midpoint"});
  const Ledger ledger(*simulation);
  for (int i = 0; i < 20; ++i) simulation->step();
  ASSERT_EQ(ledger.entries().size(), 21u);
  const LedgerEntry& last = ledger.entries().back();
  const double mass = simulation->model().total_mass(), time = 0.4;
  EXPECT_NEAR(last.kinetic, 0.5 * mass * std::pow(9.81 * time, 2), 1e-6 * last.kinetic);
  EXPECT_NEAR(last.momentum[1], -9.81 * time * mass, 1e-9 * mass);
  EXPECT_NEAR(total_loss(ledger), 0, 1e-9 * last.kinetic);
  EXPECT_EQ(last.pin_work, 0);
  EXPECT_TRUE(last.dissipated.empty());
}

// Backward Euler: dx = h v1, so gravity's work exceeds the kinetic energy by m g^2 h^2 / 2 in every step.
TEST(Ledger, FreeFallUnderBackwardEulerLosesWhatTheFormulaSays) {
  const double h = 0.02;
  const auto simulation = make_simulation(falling(), {.step = h, .solver = {"newton", exact}});
  const Ledger ledger(*simulation);
  for (int i = 0; i < 5; ++i) simulation->step();
  const double expected = 0.5 * simulation->model().total_mass() * 9.81 * 9.81 * h * h;
  for (std::size_t i = 1; i < ledger.entries().size(); ++i)
    EXPECT_NEAR(ledger.entries()[i].numerical_loss, expected, 1e-6 * expected);
}

TEST(Ledger, ASpinningBodyKeepsItsAngularMomentum) {
  Model model = solid(beam_mesh(1), 1000, "neo_hookean", {{"young", 1e6}, {"poisson", 0.3}});
  const auto simulation = make_simulation(
      std::move(model), {.step = 0.01, .solver = {"newton", exact}, .integrator = "implicit_midpoint"});
  State state = simulation->state();
  for (std::size_t i = 0; i < state.q.size(); i += 3)
    state.v[i] = -2 * state.q[i + 1], state.v[i + 1] = 2 * state.q[i];
  simulation->set_state(state);
  const Ledger ledger(*simulation);
  for (int i = 0; i < 20; ++i) simulation->step();
  const LedgerEntry &first = ledger.entries().front(), &last = ledger.entries().back();
  EXPECT_GT(first.angular_momentum[2], 1e3);
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(last.angular_momentum[k], first.angular_momentum[k], 1e-8 * first.angular_momentum[2]) << k;
  EXPECT_GT(last.elastic, 0);
  EXPECT_LT(std::abs(total_loss(ledger)), 1e-3 * first.kinetic);
}

// What moves the pins does the work: the more finely time is cut, the better the balance closes without any loss.
TEST(Ledger, PinsThatMoveDoWork) {
  for (const char* kind : {"", R"(, "kind": "soft", "stiffness": 2000)"}) {
    SCOPED_TRACE(kind);
    double loss[2], work = 0;
    for (const int refined : {0, 1}) {
      const int substeps = refined == 1 ? 16 : 4;
      const auto simulation = shaken_chain(kind, substeps);
      const Ledger ledger(*simulation);
      for (int i = 0; i < 25 * substeps; ++i) simulation->step();
      loss[refined] = work = 0;
      for (const LedgerEntry& entry : ledger.entries())
        work += std::abs(entry.pin_work), loss[refined] += entry.numerical_loss;
      EXPECT_NEAR(ledger.entries().back().time, 0.5, 1e-9);
    }
    EXPECT_GT(work, 1);
    EXPECT_LT(std::abs(loss[1]), std::abs(loss[0]) / 8);  // second order: a sixteenth
    EXPECT_LT(std::abs(loss[1]), 0.01 * work);
  }
}

// A damper that stops a body within a step: its power at the start, times the step, is many times the energy that
// there is.
TEST(Ledger, StiffDampingUnderBackwardEulerCreatesNothing) {
  const auto simulation = build_simulation(parse_scene(
      R"({"step": 0.02, "gravity": 0, "solver": {"type": "newton", "iterations": 100, "gradient_tolerance": 1e-11},
          "bodies": [{"springs": {"vertices": [[0,0,0],[0,-1,0],[0,-2,0]], "edges": [[0,1],[1,2]], "stiffness": 300,
                                  "mass": 0.5}, "damping": {"type": "dashpot", "coefficient": 1000}}]})",
      "chain.json"));
  State state = simulation->state();
  state.v[1] = 1;  // one end runs towards the others
  simulation->set_state(state);
  const Ledger ledger(*simulation);
  const double first = ledger.entries()[0].kinetic;
  double taken = 0;
  for (int i = 0; i < 20; ++i) simulation->step();
  for (std::size_t i = 1; i < ledger.entries().size(); ++i) {
    const LedgerEntry& entry = ledger.entries()[i];
    EXPECT_GE(entry.numerical_loss, -1e-9 * first) << i;
    taken += entry.dissipated.at(0).second;
  }
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, first);
}

// A spring that is pulled at both ends, apart at a constant speed: who pulls works against the damper too.
TEST(Ledger, PinsWorkAgainstDamping) {
  const auto simulation = build_simulation(parse_scene(
      R"({"step": 0.01, "gravity": 0, "bodies": [
           {"springs": {"vertices": [[0,0,0],[1,0,0]], "edges": [[0,1]], "stiffness": 30, "mass": 0.5},
            "damping": {"type": "dashpot", "coefficient": 40}}],
          "pins": [{"select": {"indices": [0]}},
                   {"select": {"indices": [1]}, "motion": {"translate": {"direction": [1, 0, 0], "keyframes": [[0, 0], [10, 5]]}}}]})",
      "pull.json"));
  const Ledger ledger(*simulation);
  for (int i = 0; i < 50; ++i) simulation->step();
  double taken = 0, work = 0, lost = 0;
  for (std::size_t i = 2; i < ledger.entries().size(); ++i) {
    const LedgerEntry& entry = ledger.entries()[i];
    taken += entry.dissipated.at(0).second, work += entry.pin_work, lost += std::abs(entry.numerical_loss);
  }
  EXPECT_NEAR(taken, 40 * 0.5 * 0.5 * 0.49, 1e-6) << "c v^2 t";
  EXPECT_LT(lost, 1e-6 * taken);
  EXPECT_GT(work, taken);
}

TEST(Ledger, OutlivesTheSimulation) {
  auto simulation = make_simulation(falling(), {.step = 0.02});
  const Ledger ledger(*simulation);
  simulation->step();
  simulation.reset();
  EXPECT_EQ(ledger.entries().back().step, 1);
}

}  // namespace
}  // namespace resilin::test
