// E27: energy of a linear oscillator after one period in n steps, relative to the start:
//   backward Euler (1 + (w h)^2)^-n;  TR-BDF2 |R(i w h)|^(2n);  BDF2 |r|^(2n) with r the principal root of its
//   recurrence,
//   (1 - 2 z/3) r^2 - 4/3 r + 1/3 = 0, z = i w h, measured after 20 steps, when the other root has died out.
// At equal cost (backward Euler and BDF2 with half the step) TR-BDF2 keeps the most at every n.
#include <complex>

#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

// Energy after one period relative to that before it, which comes after `warm_up` steps.
double energy_after(const std::string& integrator, double w, int steps, int warm_up = 0) {
  const double h = 2 * std::numbers::pi / (w * steps);
  const auto simulation = lab::precise_simulation(lab::oscillator_model(w), h, integrator);
  lab::advance(*simulation, warm_up);
  const double before = lab::total_energy(*simulation);
  lab::advance(*simulation, steps);
  return lab::total_energy(*simulation) / before;
}

using Complex = std::complex<double>;

double bdf2_energy(int steps) {
  const Complex a(1, -4 * std::numbers::pi / (3 * steps));
  const Complex root = (4.0 / 3 + std::sqrt(16.0 / 9 - 4.0 / 3 * a)) / (2.0 * a);
  return std::pow(std::norm(root), steps);
}

double tr_bdf2_energy(int steps) {
  const double g = 2 - std::sqrt(2.0);
  const Complex z(0, 2 * std::numbers::pi / steps), m = (1.0 + g / 2 * z) / (1.0 - g / 2 * z);
  const Complex r = (m - (1 - g) * (1 - g)) / (g * (2 - g)) / (1.0 - (1 - g) / (2 - g) * z);
  return std::pow(std::norm(r), steps);
}

void run(const Settings& s, Findings& findings) {
  const double w = s.number("frequency"), tolerance = 1e-4;
  for (const int n : {10, 20, 50, 100}) {
    const std::string at = ", n = " + std::to_string(n);
    const double a = 2 * std::numbers::pi / n, best = energy_after("tr_bdf2", w, n);
    findings.near("backward Euler E/E0" + at, std::pow(1 + a * a, -n), energy_after("backward_euler", w, n),
                  tolerance);
    findings.near("BDF2 E/E0" + at, bdf2_energy(n), energy_after("bdf2", w, n, 20), tolerance);
    findings.near("TR-BDF2 E/E0" + at, tr_bdf2_energy(n), best, tolerance);
    findings.holds("TR-BDF2 keeps more than both others at half the step" + at,
                   1 - best < 1 - energy_after("backward_euler", w, 2 * n) &&
                       std::abs(1 - best) < std::abs(1 - energy_after("bdf2", w, 2 * n, 20)));
  }
}

}  // namespace

ExperimentPlugin experiment_E27() {
  return {.title = "Energy of a linear oscillator after one period",
          .source = "brown2018",
          .doc = "What backward Euler, BDF2 and TR-BDF2 keep of the energy, against their amplification factors.",
          .params = {number("frequency", "1/s", 2, positive(), "w")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
