// E92: normal modes of a chain of three masses between two walls, w_j = 2 sqrt(k/m) sin(j pi/8), and their decay
// under Rayleigh damping: the amplitude falls like exp(-beta w^2 t/2), a logarithmic decrement of pi beta w.
#include "lab/small_systems.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

Model chain(double mass, double stiffness) {
  lab::SpringSystem system = lab::spring_chain(4, {1, 0, 0}, mass, stiffness, 1);
  system.pinned = {0, 4};
  return lab::spring_model(system);
}

// Displacements along the chain of mode j, which stays linear.
std::vector<double> mode(const std::vector<double>& rest, int j, double amplitude) {
  std::vector<double> q = rest;
  for (int i = 1; i <= 3; ++i) q[3 * i] += amplitude * std::sin(j * i * std::numbers::pi / 4);
  return q;
}

// Modal coordinate and its velocity: projections on the mode.
std::array<double, 2> modal(const State& state, const std::vector<double>& rest, int j) {
  std::array<double, 2> out{0, 0};
  for (int i = 1; i <= 3; ++i) {
    const double shape = std::sin(j * i * std::numbers::pi / 4);
    out[0] += 0.5 * shape * (state.q[3 * i] - rest[3 * i]), out[1] += 0.5 * shape * state.v[3 * i];
  }
  return out;
}

// Phase advance (frequency) and loss of amplitude over a time, with RK4: its error is far below what is asked.
std::array<double, 2> measure(const Settings& s, int j, double w, double beta) {
  Model model = chain(s.number("mass"), s.number("stiffness"));
  if (beta > 0) lab::add_damping(model, 0, "rayleigh", {{"beta", beta}});
  const std::vector<double> rest = model.rest;
  const double period = 2 * std::numbers::pi / w, h = period / 400;
  const auto simulation = lab::precise_simulation(std::move(model), h, "runge_kutta4");
  lab::start_from(*simulation, mode(rest, j, 1e-3), {});
  const auto first = modal(simulation->state(), rest, j);
  double phase = 0, last = std::atan2(-first[1] / w, first[0]);
  const int steps = 400 * 5;
  for (int i = 0; i < steps; ++i) {
    lab::advance(*simulation);
    const auto now = modal(simulation->state(), rest, j);
    const double angle = std::atan2(-now[1] / w, now[0]);
    phase += std::remainder(angle - last, 2 * std::numbers::pi);
    last = angle;
  }
  const auto end = modal(simulation->state(), rest, j);
  const double amplitude = std::hypot(end[0], end[1] / w) / std::hypot(first[0], first[1] / w);
  return {phase / (steps * h), -std::log(amplitude) / (steps * h)};
}

void run(const Settings& s, Findings& findings) {
  for (int j = 1; j <= 3; ++j) {
    const double w = 2 * std::sqrt(s.number("stiffness") / s.number("mass")) * std::sin(j * std::numbers::pi / 8);
    const std::string at = " of mode " + std::to_string(j);
    findings.relative("frequency [1/s]" + at, w, measure(s, j, w, 0)[0], 1e-6);
    findings.relative("decay rate beta w^2/2 [1/s]" + at, s.number("beta") * w * w / 2,
                      measure(s, j, w, s.number("beta"))[1], 1e-3);
  }
}

}  // namespace

ExperimentPlugin experiment_E92() {
  return {.title = "Normal modes of a chain of three masses",
          .source = {"oracle", "brown2018"},
          .doc = "Frequencies and the decay under Rayleigh damping.",
          .params = {number("mass", "kg", 1, positive(), "mass of each vertex"),
                     number("stiffness", "N/m", 100, positive(), "stiffness of each spring"),
                     number("beta", "s", 1e-3, positive(), "coefficient beta of Rayleigh damping")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
