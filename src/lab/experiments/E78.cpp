// E78: a bar, fixed at one end, of springs along its axis (nu = 0). Its own weight stretches it by rho g L^2/(2 E);
// the fixed-free period is 4 L sqrt(rho/E); with n elements and lumped masses the first frequency is exactly (2/l)
// sqrt(E/rho) sin(pi/(4n)), reached by TR-BDF2 as dt -> 0. The same bar of corotated tets, whose stress is E times
// the strain when nu = 0: elongation, period and, of n layers of cells, the same frequencies but for what the tets
// of a layer share unevenly among its vertices.
#include "lab/small_systems.h"
#include "lab/statics.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Bar {
  double young, density, length;
  int n;
  double element() const { return length / n; }
};

// Hangs down along -y; unit cross-section.
Model hanging(const Bar& bar) {
  lab::SpringSystem system = lab::spring_chain(bar.n, {0, -bar.element(), 0}, bar.density * bar.element(),
                                               bar.young / bar.element(), bar.element());
  system.mass.back() *= 0.5;
  return lab::spring_model(system);
}

double frequency(const Bar& bar) {
  return 2 / bar.element() * std::sqrt(bar.young / bar.density) * std::sin(std::numbers::pi / (4 * bar.n));
}

// How far an oscillation has come, from its displacement and its velocity over the frequency.
struct Phase {
  double angle = 0, last = 0;
  void follow(double x, double v) {
    const double now = std::atan2(-v, x);
    angle += std::remainder(now - last, 2 * std::numbers::pi), last = now;
  }
};

// Of one period by TR-BDF2 from q; `end`: displacement of the free end, and its velocity.
double measured_frequency(const Bar& bar, Model model, const std::vector<double>& q, int steps_per_period,
                          const std::function<std::array<double, 2>(const State&)>& end) {
  const double w = frequency(bar), h = 2 * std::numbers::pi / (w * steps_per_period);
  const auto simulation = lab::precise_simulation(std::move(model), h, "tr_bdf2");
  lab::start_from(*simulation, q, {});
  Phase phase;
  for (int step = 0; step < steps_per_period; ++step) {
    lab::advance(*simulation);
    const auto [x, v] = end(simulation->state());
    phase.follow(x, v / w);
  }
  return phase.angle / (steps_per_period * h);
}

double chain_frequency(const Bar& bar, int steps_per_period) {
  Model model = hanging(bar);
  const int end = 3 * bar.n + 1;
  const double rest = model.rest[end];
  std::vector<double> q = model.rest;
  for (int i = 0; i <= bar.n; ++i) q[3 * i + 1] -= 1e-3 * std::sin(i * std::numbers::pi / (2 * bar.n));
  return measured_frequency(bar, std::move(model), q, steps_per_period, [&](const State& state) {
    return std::array{rest - state.q[end], -state.v[end]};
  });
}

// ---- tets: fixed at x = 0, along x

Model solid_bar(const Bar& bar, int across) {
  const TetMesh mesh = box({.size = {bar.length, across * bar.element(), across * bar.element()},
                            .cells = {bar.n, across, across},
                            .center = {bar.length / 2, 0, 0}});
  Model model = lab::solid(mesh, bar.density, "corotated", {{"young", bar.young}, {"poisson", 0.0}});
  lab::pin(model, mesh.vertex_groups.at("x_min"));
  return model;
}

// Mean of the free end along x.
double end_of(const Bar& bar, const Model& model, const std::vector<double>& values) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < values.size(); i += 3)
    if (model.rest[i] > bar.length - 0.5 * bar.element()) sum += values[i], ++count;
  return sum / count;
}

double solid_elongation(const Bar& bar, int across, double g) {
  lab::Statics statics(solid_bar(bar, across));
  const Model& model = statics.model();
  std::vector<double> load(model.rest.size(), 0.0), y = model.rest;
  for (std::size_t i = 0; i < load.size(); i += 3) load[i] = g * model.mass[i / 3];
  statics.equilibrium(load, y);
  return end_of(bar, model, y) - bar.length;
}

double solid_frequency(const Bar& bar, int across, int steps_per_period) {
  Model model = solid_bar(bar, across);
  std::vector<double> q = model.rest;
  for (std::size_t i = 0; i < q.size(); i += 3)
    q[i] += 1e-3 * bar.length * std::sin(0.5 * std::numbers::pi * model.rest[i] / bar.length);
  const Model rest = model;
  return measured_frequency(bar, std::move(model), q, steps_per_period, [&](const State& state) {
    return std::array{end_of(bar, rest, state.q) - bar.length, end_of(bar, rest, state.v)};
  });
}

void compare_solids(const Bar& bar, const Settings& s, double g, Findings& findings) {
  const int across = s.integer("cells_across");
  findings.relative("tets: elongation by its own weight [m]",
                    bar.density * g * bar.length * bar.length / (2 * bar.young), solid_elongation(bar, across, g),
                    1e-3);
  for (const int n : {10, 20, 40}) {
    const Bar one{bar.young, bar.density, bar.length, n};
    const double coarse = solid_frequency(one, across, 100), fine = solid_frequency(one, across, 200);
    const double w = fine + (fine - coarse) / 3;
    findings.report("tets: frequency, n = " + std::to_string(n) + ", over that of the lumped chain",
                    w / frequency(one));
    if (n == 40)
      findings.relative("tets: period, 40 layers [s]", 4 * bar.length * std::sqrt(bar.density / bar.young),
                        2 * std::numbers::pi / w, 1e-3);
  }
}

void run(const Settings& s, Findings& findings) {
  const Bar bar{s.number("young"), s.number("density"), s.number("length"), 10};
  const double g = 9.81;
  Model model = hanging(bar);
  model.gravity = {0, -g, 0};
  const double rest = model.rest[3 * bar.n + 1];
  lab::add_damping(model, 0, "dashpot", {{"coefficient", 0.05 * bar.young / bar.element()}});
  const auto simulation = lab::precise_simulation(std::move(model), 0.05, "backward_euler");
  lab::advance(*simulation, 400);
  findings.relative("elongation by its own weight [m]", bar.density * g * bar.length * bar.length / (2 * bar.young),
                    rest - simulation->positions()[3 * bar.n + 1], 1e-3);
  findings.relative("period, 40 elements [s]", 4 * bar.length * std::sqrt(bar.density / bar.young),
                    2 * std::numbers::pi / chain_frequency({bar.young, bar.density, bar.length, 40}, 400), 1e-3);
  for (const int n : {10, 20, 40}) {
    const Bar one{bar.young, bar.density, bar.length, n};
    const double coarse = chain_frequency(one, 200), fine = chain_frequency(one, 400);
    findings.relative("frequency, n = " + std::to_string(n) + ", extrapolated to dt = 0 [1/s]", frequency(one),
                      fine + (fine - coarse) / 3, 1e-6);
  }
  compare_solids(bar, s, g, findings);
}

}  // namespace

ExperimentPlugin experiment_E78() {
  return {
      .title = "Axial bar: own weight and frequencies",
      .source = {"oracle", "brown2018"},
      .doc = "Elongation, period and frequencies of springs and of tets against closed forms.",
      .params = {number("young", "Pa", 1e6, positive(), "E"), number("density", "kg/m^3", 1000, positive(), "rho"),
                 number("length", "m", 1, positive(), "L"),
                 integer("cells_across", 2, between(1, 8), "cells across of the bar of tets")},
      .quick = Quick{},
      .run = run};
}

}  // namespace resilin
