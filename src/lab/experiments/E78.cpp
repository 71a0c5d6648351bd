// E78: a bar, fixed at one end, of springs along its axis (nu = 0). Its own weight stretches it by rho g L^2/(2 E);
// the fixed-free period is 4 L sqrt(rho/E); with n elements and lumped masses the first frequency is exactly (2/l)
// sqrt(E/rho) sin(pi/(4n)), reached by TR-BDF2 as dt -> 0.
#include <cmath>
#include <numbers>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/small_systems.h"

namespace resilin {
namespace {

struct Bar {
  double young, density, length;
  int n;
  double element() const { return length / n; }
};

// Hangs down along -y; unit cross-section.
Model hanging(const Bar& bar) {
  lab::SpringSystem system;
  for (int i = 0; i <= bar.n; ++i) {
    system.at.push_back({0, -i * bar.element(), 0});
    system.mass.push_back(bar.density * bar.element() * (i == bar.n ? 0.5 : 1));
    if (i > 0) system.edges.push_back({i - 1, i});
  }
  system.stiffness.assign(static_cast<std::size_t>(bar.n), bar.young / bar.element());
  system.length.assign(static_cast<std::size_t>(bar.n), bar.element());
  system.pinned = {0};
  return lab::spring_model(system);
}

double frequency(const Bar& bar) {
  return 2 / bar.element() * std::sqrt(bar.young / bar.density) * std::sin(std::numbers::pi / (4 * bar.n));
}

double measured_frequency(const Bar& bar, int steps_per_period) {
  Model model = hanging(bar);
  const std::vector<double> rest = model.rest;
  std::vector<double> q = rest;
  const auto shape = [&](int i) { return std::sin(i * std::numbers::pi / (2 * bar.n)); };
  for (int i = 0; i <= bar.n; ++i) q[3 * i + 1] -= 1e-3 * shape(i);
  const double h = 2 * std::numbers::pi / (frequency(bar) * steps_per_period);
  const auto simulation = lab::precise_simulation(std::move(model), h, "tr_bdf2");
  lab::start_from(*simulation, q, {});
  double phase = 0, last = 0;
  for (int step = 0; step < steps_per_period; ++step) {
    lab::advance(*simulation);
    const double x = rest[3 * bar.n + 1] - simulation->positions()[3 * bar.n + 1],
                 v = -simulation->velocities()[3 * bar.n + 1];
    const double angle = std::atan2(-v / frequency(bar), x);
    phase += std::remainder(angle - last, 2 * std::numbers::pi), last = angle;
  }
  return phase / (steps_per_period * h);
}

void run(const Settings& s, Findings& findings) {
  const Bar bar{s.number("young"), s.number("density"), s.number("length"), 10};
  const double g = 9.81;
  Model model = hanging(bar);
  model.gravity = {0, -g, 0};
  const double rest = model.rest[3 * bar.n + 1];
  lab::add_damping(model, 0, "dashpot", {{"coefficient", 0.05 * bar.young / bar.element()}});
  const auto simulation = lab::precise_simulation(std::move(model), 0.05, "backward_euler");
  for (int i = 0; i < 400; ++i) lab::advance(*simulation);
  findings.relative("elongation by its own weight [m]", bar.density * g * bar.length * bar.length / (2 * bar.young),
                    rest - simulation->positions()[3 * bar.n + 1], 1e-3);
  findings.relative("period, 40 elements [s]", 4 * bar.length * std::sqrt(bar.density / bar.young),
                    2 * std::numbers::pi / measured_frequency({bar.young, bar.density, bar.length, 40}, 400), 1e-3);
  for (const int n : {10, 20, 40}) {
    const Bar one{bar.young, bar.density, bar.length, n};
    const double coarse = measured_frequency(one, 200), fine = measured_frequency(one, 400);
    findings.relative("frequency, n = " + std::to_string(n) + ", extrapolated to dt = 0 [1/s]", frequency(one),
                      fine + (fine - coarse) / 3, 1e-6);
  }
}

}  // namespace

ExperimentPlugin experiment_E78() {
  return {
      .title = "Axial bar: own weight and frequencies",
      .source = {"oracle", "brown2018"},
      .doc =
          "Elongation and period against continuum formulas, frequencies against the exact ones of the lumped "
          "chain.",
      .params = {number("young", "Pa", 1e6, positive(), "E"), number("density", "kg/m^3", 1000, positive(), "rho"),
                 number("length", "m", 1, positive(), "L")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
