// E28: a spinning rod of two masses, 1 revolution per second for 2 s (Brown et al. Fig. 6 in small): what is left
// of angular momentum and energy with TR-BDF2 at dt and with backward Euler and BDF2 at dt/2. The expected values
// were computed by an independent program, whose BDF2 begins with a step of backward Euler; ours begins with
// TR-BDF2 and keeps more, which is reported.
// The beam of Fig. 6, which spins and lengthens: the order TR-BDF2, BDF2, backward Euler in both. The paper prints neither size, stiffness
// nor speeds of it, so they are ours, and were set before the first run.
//
// TR-BDF2 was also expected to lose at most a tenth of the angular momentum that BDF2 does. That holds for the rod (0.03) and not for
// this beam: 0.18, which is reported. Tried afterwards: h = 40, 10 and 5 ms (0.52, 0.33, 0.36), no and less elongation (0.21, 0.20), ten times
// the stiffness at 20 and 10 ms (0.46, 0.14), a hundred times (0.74). The order of the three held in all of these. With its own start BDF2 keeps
// more: then the ratio is 0.25 here, and above one for the stiffer beams at 20 ms, whose vibration is not resolved.
#include <array>
#include <cmath>
#include <numbers>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/small_systems.h"

namespace resilin {
namespace {

// Takes the first step with backward Euler and gives BDF2 the two states.
void start_with_backward_euler(Simulation& simulation, Model model, double h) {
  const auto first = lab::precise_simulation(std::move(model), h, "backward_euler");
  first->set_state(simulation.state());
  lab::advance(*first);
  State state = first->state();
  const std::uint64_t stamp = simulation.objective().revision().function_at(h);
  state.history.keep("bdf2.q", stamp) = state.q;
  state.history.keep("bdf2.v", stamp) = state.v;
  state.history.keep("bdf2.q_before", stamp) = simulation.positions();
  state.history.keep("bdf2.v_before", stamp) = simulation.velocities();
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
  while (simulation->state().step < steps) lab::advance(*simulation);
  return {simulation->angular_momentum()[2] / momentum, lab::total_energy(*simulation) / energy};
}

lab::Course spun_beam(const Settings& s, const std::string& integrator, double h, bool euler_start = false) {
  const auto simulation = lab::precise_simulation(lab::slender_beam(s.number("young")), h, integrator);
  State state = simulation->state();
  for (std::size_t i = 0; i < state.q.size(); i += 3) state.v[i] = s.number("elongation") * state.q[i];
  simulation->set_state(state);
  lab::spin(*simulation, {0, 0, 2 * std::numbers::pi});
  const double momentum = simulation->angular_momentum()[2], energy = lab::total_energy(*simulation);
  if (euler_start) start_with_backward_euler(*simulation, lab::slender_beam(s.number("young")), h);
  const double kept_momentum = simulation->angular_momentum()[2] / momentum,
               kept_energy = lab::total_energy(*simulation) / energy;  // by the first step
  lab::Course course = lab::follow(*simulation, s.number("duration") - simulation->state().time);
  for (double& x : course.momentum) x *= kept_momentum;
  for (double& x : course.energy) x *= kept_energy;
  return course;
}

void compare_beams(const Settings& s, Findings& findings) {
  const double h = s.number("step");
  const lab::Course euler = spun_beam(s, "backward_euler", h / 2), bdf2 = spun_beam(s, "bdf2", h / 2, true),
                    best = spun_beam(s, "tr_bdf2", h);
  const auto plot = [&](const std::string& what, std::vector<double> lab::Course::*of) {
    findings.plot({.title = "Fig. 6: " + what + " of a beam that spins and lengthens",
                   .x_label = "time [s]",
                   .y_label = what + " / first",
                   .series = {{"backward Euler, h/2", euler.time, euler.*of},
                              {"BDF2, h/2", bdf2.time, bdf2.*of},
                              {"TR-BDF2, h", best.time, best.*of}}});
    const auto lost = [&](const lab::Course& course) { return std::abs(1 - (course.*of).back()); };
    findings.at_most("beam: change of " + what + ", TR-BDF2 / BDF2", 1, lost(best) / lost(bdf2));
    findings.at_most("beam: change of " + what + ", BDF2 / backward Euler", 1, lost(bdf2) / lost(euler));
  };
  plot("energy", &lab::Course::energy);
  plot("angular momentum", &lab::Course::momentum);
  findings.report("beam: the same, expected at most 0.1",
                  std::abs((1 - best.momentum.back()) / (1 - bdf2.momentum.back())), "see the file");
  const lab::Course own = spun_beam(s, "bdf2", h / 2);
  findings.report("beam: change of angular momentum, TR-BDF2 / BDF2 with its own start",
                  std::abs((1 - best.momentum.back()) / (1 - own.momentum.back())));
  findings.differs_because("size, stiffness and speeds of the beam are not printed: they are ours");
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
  compare_beams(s, findings);
}

}  // namespace

ExperimentPlugin experiment_E28() {
  return {
      .title = "Spinning rod of two masses",
      .source = "brown2018",
      .shows = "Fig. 6",
      .doc =
          "Angular momentum and energy after two revolutions with backward Euler, BDF2 and TR-BDF2 at equal cost.",
      .params = {number("mass", "kg", 1, positive(), "mass of each end of the rod"),
                 number("stiffness", "N/m", 1e4, positive(), "stiffness of the rod"),
                 number("duration", "s", 2, positive(), "simulated time"),
                 number("young", "Pa", 1e5, positive(), "Young's modulus of the beam"),
                 number("elongation", "1/s", 1, at_least(0), "rate at which the beam lengthens at first"),
                 number("step", "s", 0.02, positive(), "h of the beam")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
