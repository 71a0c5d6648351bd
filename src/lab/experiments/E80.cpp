// E80: a pendulum on a stiff spring, period 2 pi sqrt(L/g) (1 + th^2/16 + 11 th^4/3072); symplectic Euler's bounded
// energy over many steps of a harmonic oscillator, |dE|/E <= w h; implicit midpoint keeps its energy to 1e-10.
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

double pendulum_period(const Settings& s) {
  const double angle = s.number("angle") * std::numbers::pi / 180, length = s.number("length"),
               stiffness = s.number("stiffness");
  Model model =
      lab::one_spring({length * std::sin(angle), -length * std::cos(angle), 0}, {1, 1}, stiffness, length, true);
  model.gravity = {0, -9.81, 0};
  const auto simulation = lab::precise_simulation(std::move(model), s.number("step"), "tr_bdf2");
  double last = simulation->positions()[3], crossing[2] = {};
  for (int found = 0; found < 2;) {
    lab::advance(*simulation);
    const double x = simulation->positions()[3];
    if (last > 0 && x <= 0) crossing[found++] = simulation->state().time - s.number("step") * x / (x - last);
    last = x;
  }
  return crossing[1] - crossing[0];
}

double energy_spread(const std::string& integrator, double w, double h, int steps) {
  const auto simulation = lab::precise_simulation(lab::oscillator_model(w), h, integrator);
  lab::Worst worst;
  for (int i = 0; i < steps; ++i) {
    lab::advance(*simulation);
    const double x = simulation->positions()[3], v = simulation->velocities()[3];
    worst.see(std::abs((x * x + v * v / (w * w)) - 1));
  }
  return worst;
}

void run(const Settings& s, Findings& findings) {
  const double th = s.number("angle") * std::numbers::pi / 180;
  findings.relative("period of the pendulum [s]",
                    2 * std::numbers::pi * std::sqrt(s.number("length") / 9.81) *
                        (1 + th * th / 16 + 11 * std::pow(th, 4) / 3072),
                    pendulum_period(s), 0.01);
  const double w = 1;
  for (const double h : {0.1, 0.5})
    findings.at_most("symplectic Euler: |dE|/E, w h = " + std::to_string(h).substr(0, 3), w * h,
                     energy_spread("symplectic_euler", w, h, s.integer("steps")));
  findings.at_most("implicit midpoint: |dE|/E, w h = 0.5", 1e-10, energy_spread("implicit_midpoint", w, 0.5, 1000));
}

}  // namespace

ExperimentPlugin experiment_E80() {
  return {.title = "Pendulum and harmonic oscillator",
          .source = {"oracle", "brown2018"},
          .doc = "Period at a large angle, and energy over many steps.",
          .params = {number("angle", "degrees", 30, {0, 90, true, false}, "first angle"),
                     number("length", "m", 1, positive(), "L"),
                     number("stiffness", "N/m", 1e4, positive(), "stiffness of the rod"),
                     number("step", "s", 0.005, positive(), "time step"),
                     integer("steps", 1000000, between(1, 100000000), "steps of symplectic Euler")},
          .quick = Quick{.set = {{"steps", 100000}}},
          .run = run};
}

}  // namespace resilin
