// E28: a spinning rod of two masses, 1 revolution per second for 2 s (Brown et al. Fig. 6 in small): what is left
// of angular momentum and energy with TR-BDF2 at dt and with backward Euler and BDF2 at dt/2. The expected values
// are a scalar computation of the oracles, whose BDF2 begins with a step of backward Euler; ours begins with
// TR-BDF2 and keeps more, which is reported.
#include <array>
#include <cmath>
#include <numbers>

#include "lab/experiment.h"
#include "lab/small_systems.h"

namespace resilin {
namespace {

// Takes the first step with backward Euler and gives BDF2 the two states.
void start_with_backward_euler(Simulation& simulation, Model model, double h) {
  const auto first = lab::precise_simulation(std::move(model), h, "backward_euler");
  first->set_state(simulation.state());
  first->step();
  State state = first->state();
  state.history.h = h, state.history.revision = simulation.objective().revision();
  state.history.arrays = {{"bdf2.q", state.q},
                          {"bdf2.v", state.v},
                          {"bdf2.q_before", simulation.state().q},
                          {"bdf2.v_before", simulation.state().v}};
  simulation.set_state(state);
}

std::array<double, 2> kept(const Settings& s, const std::string& integrator, double h, bool euler_start = false) {
  const auto simulation =
      lab::precise_simulation(lab::rod_model(s.number("mass"), s.number("stiffness")), h, integrator);
  // Stretched as far as the spin wants it, so that it turns without wobbling: k (l - 1) = m w^2 l/2.
  const double w = 2 * std::numbers::pi, length = 1 / (1 - s.number("mass") * w * w / (2 * s.number("stiffness")));
  lab::start_from(*simulation, {-length / 2, 0, 0, length / 2, 0, 0}, {});
  lab::spin(*simulation, {0, 0, w});
  const double momentum = simulation->angular_momentum()[2], energy = lab::total_energy(*simulation);
  const int steps = static_cast<int>(std::lround(s.number("duration") / h));
  if (euler_start)
    start_with_backward_euler(*simulation, lab::rod_model(s.number("mass"), s.number("stiffness")), h);
  while (simulation->state().step < steps) simulation->step();
  return {simulation->angular_momentum()[2] / momentum, lab::total_energy(*simulation) / energy};
}

void run(const Settings& s, Findings& findings) {
  struct Expected {
    const char* integrator;
    double part;  // of dt
    double momentum[3], energy[3];
  };
  static constexpr Expected table[] = {
      {"backward_euler", 0.5, {0.4902, 0.6224, 0.7474}, {0.2409, 0.3881, 0.5591}},
      {"bdf2", 0.5, {0.97078, 0.99334, 0.99842}, {0.94253, 0.98675, 0.99684}},
      {"tr_bdf2", 1, {0.997942, 0.999794, 0.999976}, {0.995897, 0.999588, 0.999953}}};
  static constexpr double dt[3] = {0.04, 0.02, 0.01};
  for (const Expected& row : table)
    for (int i = 0; i < 3; ++i) {
      const bool euler_start = row.integrator == std::string("bdf2");
      const auto measured = kept(s, row.integrator, row.part * dt[i], euler_start);
      const std::string at = std::string(row.integrator) + ", h = " + std::to_string(row.part * dt[i]);
      findings.near("L/L0, " + at, row.momentum[i], measured[0], 1e-3);
      findings.near("E/E0, " + at, row.energy[i], measured[1], 1e-3);
      if (euler_start)
        findings.report("L/L0, " + at + ", with its own start", kept(s, row.integrator, row.part * dt[i])[0]);
    }
}

}  // namespace

ExperimentPlugin experiment_E28() {
  return {
      .title = "Spinning rod of two masses",
      .source = "brown2018",
      .doc =
          "Angular momentum and energy after two revolutions with backward Euler, BDF2 and TR-BDF2 at equal cost.",
      .params = {number("mass", "kg", 1, positive(), "of each"),
                 number("stiffness", "N/m", 1e4, positive(), "of the rod"),
                 number("duration", "s", 2, positive(), "simulated time")},
      .run = run};
}

}  // namespace resilin
