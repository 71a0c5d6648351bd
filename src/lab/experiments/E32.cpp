// E32: principal-strain damping of a pure rigid spin. The origin of a stage is stretched by sqrt(1 + (tau w)^2)
// (X21), so a little energy goes: what it takes per revolution, beyond the undamped run, falls with the square of
// the step. A body at rest that is set spinning also vibrates, and that damping is right to take: so the spin first
// settles, with a small step.
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

Model block(const Settings& s, bool damped) {
  Model model = lab::solid(box({.size = {1, 0.5, 0.5}, .cells = {2, 1, 1}}), 1000, "neo_hookean",
                           {{"young", s.number("young")}, {"poisson", 0.3}});
  if (damped) lab::add_damping(model, 0, "principal_strain", {{"beta", s.number("beta")}});
  return model;
}

State settled(const Settings& s) {
  const auto simulation = lab::precise_simulation(block(s, true), s.number("settle_step"), "tr_bdf2");
  lab::spin(*simulation, {0, 0, 2 * std::numbers::pi * s.number("revolutions")});
  while (simulation->state().time < s.number("settle")) lab::advance(*simulation);
  State state = simulation->state();
  state.history = {};
  return state;
}

// After one revolution, relative to the start.
double energy_after(const Settings& s, const State& start, int steps, bool damped) {
  const auto simulation =
      lab::precise_simulation(block(s, damped), 1 / (s.number("revolutions") * steps), "tr_bdf2");
  simulation->set_state(start);
  const double before = lab::total_energy(*simulation);
  lab::advance(*simulation, steps);
  return lab::total_energy(*simulation) / before;
}

void run(const Settings& s, Findings& findings) {
  std::vector<double> losses;
  const State start = settled(s);
  for (const int steps : {50, 100, 200, 400})
    losses.push_back(std::abs(energy_after(s, start, steps, false) - energy_after(s, start, steps, true)));
  const auto slope = lab::slopes(losses);
  findings.report("energy taken per revolution, 50 steps", losses[0]);
  findings.report("energy taken per revolution, 400 steps", losses[3]);
  findings.near("order in the step", 2, slope.back(), 0.2);
}

}  // namespace

ExperimentPlugin experiment_E32() {
  return {.title = "Principal-strain damping of a rigid spin",
          .source = "brown2018",
          .doc = "Energy lost per revolution and its order in the step.",
          .params = {number("young", "Pa", 1e6, positive(), "Young's modulus"),
                     number("beta", "s", 0.01, positive(), "damping"),
                     number("revolutions", "1/s", 1, positive(), "spin"),
                     number("settle", "s", 1, positive(), "time until the spin is steady"),
                     number("settle_step", "s", 0.0005, positive(), "time step of that")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
