// E25: coefficients of TR-BDF2 (Brown et al. 4.3 with X15). Both stages have the same tau at gamma = 2 - sqrt 2,
// one factorisation serves both, and the linear test problem y' = z y reproduces the stability function
//   R(z) = (m - (1 - g)^2) / (g (2 - g)) / (1 - (1 - g)/(2 - g) z),   m = (1 + g z/2)/(1 - g z/2).
#include <complex>

#include "integrators/tr_bdf2.h"
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

using Complex = std::complex<double>;

Complex stability(double g, Complex z) {
  const Complex m = (1.0 + g / 2 * z) / (1.0 - g / 2 * z);
  return (m - (1 - g) * (1 - g)) / (g * (2 - g)) / (1.0 - (1 - g) / (2 - g) * z);
}

void run(const Settings& s, Findings& findings) {
  const std::vector<StageRecipe> best = tr_bdf2_recipe(1).stages;
  findings.near("tau/h of the trapezoidal stage", 1 - std::sqrt(0.5), best[0].tau, 1e-15);
  findings.near("tau/h of the BDF2 stage", 1 - std::sqrt(0.5), best[1].tau, 1e-15);
  const double w = s.number("frequency"), h = s.number("step");
  const int steps = s.integer("steps");
  for (const double gamma : {tr_bdf2_best_gamma, 0.3, 0.5, 0.8}) {
    const auto simulation = lab::precise_simulation(lab::oscillator_model(w), h, "tr_bdf2", {{"gamma", gamma}});
    lab::advance(*simulation, steps);
    const Complex expected = std::pow(stability(gamma, {0, w * h}), steps),
                  measured(simulation->positions()[3], -simulation->velocities()[3] / w);
    findings.at_most("|y - R(z)^n|, gamma = " + std::to_string(gamma), 1e-12, std::abs(measured - expected));
  }
  Model model = lab::solid(lab::beam_mesh(1), 1000, "neo_hookean", {});
  model.gravity = {0, -9.81, 0};
  lab::pin(model, {0, 1, 2, 3});
  const auto simulation = lab::make_simulation(std::move(model), 0.01, "quasi_newton", {}, "tr_bdf2");
  int factorisations = 0;
  for (int i = 0; i < 10; ++i) factorisations += simulation->step().solve.factorisations;
  findings.near("factorisations in ten steps of a beam", 1, factorisations, 0);
}

}  // namespace

ExperimentPlugin experiment_E25() {
  return {
      .title = "Coefficients of TR-BDF2",
      .source = "brown2018",
      .doc = "Equal tau of both stages, one factorisation, and the stability function on the linear test problem.",
      .params = {number("frequency", "1/s", 3, positive(), "w of the oscillator"),
                 number("step", "s", 0.1, positive(), "h"),
                 integer("steps", 25, between(1, 10000), "number of steps")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
