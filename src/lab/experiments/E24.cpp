// E24: implicit midpoint on a linear spring. It keeps the energy (a quadratic invariant) and turns the phase by
// theta per step with tan(theta / 2) = omega h / 2. Liu et al. Section 6: markedly less stable in large
// deformation; shown, not judged.
#include <algorithm>
#include <cmath>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/small_systems.h"
#include "lab/worst.h"
#include "resilin/shapes.h"

namespace resilin {
namespace {

// A mass on a spring whose other end is held; it moves along the spring, so that the spring is linear.
Model oscillator(double mass, double stiffness) {
  return lab::spring_model({.at = {{0, 0, 0}, {1, 0, 0}},
                            .mass = {mass, mass},
                            .edges = {{0, 1}},
                            .stiffness = {stiffness},
                            .length = {1},
                            .pinned = {0}});
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
    const Energy e = simulation->energy();
    const double now = e.kinetic + e.elastic;
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
  BoxOptions options;
  options.cells = {4, 4, 4};
  options.pattern = BoxPattern::six;
  const auto simulation =
      lab::make_simulation(lab::solid(box(options), 1, "neo_hookean", {{"mu", 20}, {"lambda", 100}}), 1.0 / 30,
                           "quasi_newton", {{"iterations", 30}}, integrator);
  State state = simulation->state();
  for (std::size_t i = 0; i < state.q.size(); i += 3) state.q[i] *= 2;
  simulation->set_state(state);
  const double first = simulation->energy().elastic;
  lab::Worst most;
  for (int frame = 0; frame < 90; ++frame) {
    lab::advance(*simulation);
    const Energy e = simulation->energy();
    most.see((e.kinetic + e.elastic) / first);
  }
  findings.report(integrator + ": largest energy / start of a cube stretched to twice its length", most,
                  "documented, not judged");
}

void run(const Settings& s, Findings& findings) {
  oscillate(s, findings);
  less_stable("backward_euler", findings);
  less_stable("implicit_midpoint", findings);
}

}  // namespace

ExperimentPlugin experiment_E24() {
  return {.title = "Implicit midpoint keeps the energy of a linear spring",
          .source = "liu2017",
          .doc = "Energy drift and phase of a mass on a spring; stability in large deformation is shown.",
          .params = {number("mass", "kg", 1, positive(), "of the moving vertex"),
                     number("stiffness", "N/m", 100, positive(), "of the spring"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     number("amplitude", "m", 0.1, {0, 0.9, true, false}, "of the motion"),
                     integer("steps", 1000, between(1, 1000000), "time steps")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
