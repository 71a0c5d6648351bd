// E24: implicit midpoint on a linear spring. It keeps the energy (a quadratic invariant) and turns the phase by
// theta per step with tan(theta / 2) = omega h / 2. Liu et al. Section 6: markedly less stable in large
// deformation; shown, not judged.
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

// A mass on a spring whose other end is held; it moves along the spring, so that the spring is linear.
Model oscillator(double mass, double stiffness) {
  return lab::one_spring({1, 0, 0}, {mass, mass}, stiffness, 1, true);
}

void oscillate(const Settings& s, Findings& findings) {
  const double m = s.number("mass"), k = s.number("stiffness"), h = s.number("step"), a = s.number("amplitude");
  const auto simulation = lab::make_simulation(
      oscillator(m, k), h, "newton", {{"iterations", 20}, {"gradient_tolerance", 1e-14}}, "implicit_midpoint");
  State state = simulation->state();
  state.q[3] += a;
  simulation->set_state(state);
  const double theta = 2 * std::atan(std::sqrt(k / m) * h / 2), first = k / 2 * a * a;
  lab::Worst drift, phase;
  double last = first;
  for (int n = 1; n <= s.integer("steps"); ++n) {
    lab::advance(*simulation);
    const double now = lab::total_energy(*simulation);
    drift.see(std::abs(now - last) / first);
    last = now;
    phase.see(std::abs(simulation->positions()[3] - 1 - a * std::cos(n * theta)) / a);
  }
  findings.at_most("|dE| / E per step, worst step", 1e-6, drift);
  findings.at_most("|E_end - E_0| / E_0 over all steps", 1e-6 * s.integer("steps"), std::abs(last - first) / first);
  findings.at_most("|x - A cos(n theta)| / A, worst step", 1e-6, phase, "theta = 2 atan(omega h / 2)");
}

// A stretched cube let go: energy left after 3 s, relative to the start.
void less_stable(const std::string& integrator, Findings& findings) {
  const auto simulation = lab::make_simulation(
      lab::solid(lab::cube_mesh(4, BoxPattern::six), 1, "neo_hookean", {{"mu", 20}, {"lambda", 100}}), 1.0 / 30,
      "quasi_newton", {{"iterations", 30}}, integrator);
  lab::start_from(*simulation, lab::stretched(simulation->positions(), 2), {});
  const double first = simulation->energy().elastic;
  lab::Worst most;
  for (int frame = 0; frame < 90; ++frame) {
    lab::advance(*simulation);
    most.see(lab::total_energy(*simulation) / first);
  }
  findings.report(integrator + ": largest energy / start of a cube stretched to twice its length", most,
                  "documented, not judged");
}

void run(const Settings& s, Findings& findings) {
  oscillate(s, findings);
  for (const char* integrator : {"backward_euler", "implicit_midpoint"}) less_stable(integrator, findings);
}

}  // namespace

ExperimentPlugin experiment_E24() {
  return {.title = "Implicit midpoint keeps the energy of a linear spring",
          .source = "liu2017",
          .doc = "Energy drift and phase of a mass on a spring; stability in large deformation is shown.",
          .params = {number("mass", "kg", 1, positive(), "mass of the moving vertex"),
                     number("stiffness", "N/m", 100, positive(), "stiffness of the spring"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     number("amplitude", "m", 0.1, {0, 0.9, true, false}, "amplitude of the motion"),
                     integer("steps", 1000, between(1, 1000000), "time steps")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
