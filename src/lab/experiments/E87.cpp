// E87: units. A scene in other units of length, mass and time (L, M, T) moves in the same way: positions scale by
// L, velocities by L/T; Young's modulus by M/(L T^2), density by M/L^3, gravity by L/T^2, contact stiffness by
// M/T^2, the step by T. A hidden absolute tolerance would show. A pinned beam swings onto the ground and a free one
// falls; every registered solver and integrator.
#include <numeric>

#include "lab/toolkit.h"
#include "solvers/progress/iterations.h"

namespace resilin {
namespace {

struct Units {
  double length = 1, mass = 1, time = 1;
};

struct Accuracy {
  int iterations;
  double tolerance;
  // Of every coordinate before every step, relative and of random sign: what rounding alone may do.
  double nudge = 0;
};

struct Result {
  State state;
  bool early = false;  // a solve ended where the objective is flat to rounding (X11), short of its tolerance
};

void nudge(Simulation& simulation, double by, lab::Random& random) {
  State state = simulation.state();
  for (double& x : state.q) x *= 1 + (random.uniform() < 0.5 ? -by : by);
  simulation.set_state(std::move(state));
}

Result simulate(const Settings& s, const std::string& solver, const std::string& integrator, const Units& u,
                const Accuracy& stop) {
  const int cells = s.integer("cells");
  const TetMesh mesh = box({.size = {2 * u.length, u.length, u.length}, .cells = {2 * cells, cells, cells}});
  const double stress = u.mass / (u.length * u.time * u.time), young = s.number("young") * stress;
  const double density = s.number("density") * u.mass / std::pow(u.length, 3);
  const bool projective = lab::wants_strain(solver);
  const lab::Values arap = {{"stiffness", young}}, neo = {{"young", young}, {"poisson", 0.4}};
  const Choice material = projective ? Choice("arap", arap) : Choice("neo_hookean", neo);
  Builder builder;
  builder.gravity({0, -9.81 * u.length / (u.time * u.time), 0});
  builder.add(Solid{.mesh = mesh, .material = material, .density = density});
  builder.pin({.vertices = mesh.vertex_groups.at("x_min")});
  TetMesh ball = mesh;  // a second, free body beside it
  translate(ball, {0, 1.2 * u.length, 1.5 * u.length});
  builder.add(Solid{.mesh = ball, .material = material, .density = density});
  Model model = std::move(builder).model();
  if (!projective)
    lab::add_obstacle(model, "plane", {{"height", -0.52 * u.length}},
                      s.number("young") / 10 * u.mass / (u.time * u.time));
  const lab::Values params = {
      {"iterations", stop.iterations}, {"tolerance", 0}, {"gradient_tolerance", stop.tolerance}};
  auto simulation = lab::make_simulation(std::move(model), s.number("step") * u.time, solver,
                                         lab::with_double_factor(solver, params), integrator);
  Result out;
  lab::Random random(1);
  for (int n = 0; n < s.integer("frames"); ++n) {
    if (stop.nudge > 0) nudge(*simulation, stop.nudge, random);
    const SolveReport report = simulation->step().solve;
    out.early = out.early ||
                (report.status == Status::converged && report.residual > stop.tolerance * report.first_residual &&
                 report.residual > residual_floor(simulation->system().problem()));
  }
  out.state = simulation->state();
  return out;
}

struct Difference {
  double position = 0, velocity = 0;
  bool early = false;
};

Difference compare(const Result& one, const Result& other, const Units& units) {
  const State &a = one.state, &b = other.state;
  lab::Worst position, velocity, fastest;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    position.see(std::abs(b.q[i] / units.length - a.q[i]) / 2);
    velocity.see(std::abs(b.v[i] * units.time / units.length - a.v[i]));
    fastest.see(std::abs(a.v[i]));
  }
  return {position, velocity / fastest, one.early || other.early};
}

void run(const Settings& s, Findings& findings) {
  const Units units{s.number("length_unit"), s.number("mass_unit"), s.number("time_unit")};
  const auto power = [](double x) { return std::exp2(std::round(std::log2(x))); };
  const Units powers{power(units.length), power(units.mass), power(units.time)};
  const Accuracy cut_off{s.integer("iterations"), 1e-5}, converged{300, 1e-10}, nudged{300, 1e-10, 2.2e-16};
  constexpr double bound = 1e-9;
  for (const auto& solver : registry<SolverPlugin>())
    for (const auto& integrator : registry<IntegratorPlugin>()) {
      const auto difference = [&](const Units& u, const Accuracy& stop) {
        return compare(simulate(s, solver.name, integrator.name, {}, stop),
                       simulate(s, solver.name, integrator.name, u, stop), u);
      };
      const std::string what = solver.name + ", " + integrator.name + ": ";
      // In powers of two every rounding is the same, so even truncated solves must agree in every bit.
      const Difference exact = difference(powers, cut_off), close = difference(units, converged);
      findings.near(what + "units rounded to powers of two, difference of positions and velocities", 0,
                    lab::Worst::of({exact.position, exact.velocity}), 0);
      const std::string position = what + "largest difference of positions / size",
                        velocity = what + "largest difference of velocities / largest velocity";
      if (close.early) {
        findings.report(position, close.position,
                        "not judged: solves ended at round-off of the system, before convergence");
        findings.report(velocity, close.velocity);
        continue;
      }
      findings.at_most(position, bound, close.position);
      // PBD has no minimum to end at and no compliance, and implicit_midpoint and trapezoidal damp no velocity:
      // rounding of positions comes back divided by the step and grows. Judged unless it does so without any change
      // of units.
      const bool steady = solver.plugin.minimises || close.velocity <= bound;
      const double grown = steady ? 0
                                  : compare(simulate(s, solver.name, integrator.name, {}, converged),
                                            simulate(s, solver.name, integrator.name, {}, nudged), {})
                                        .velocity;
      const std::string nudged_note =
          fmt::format("not judged: {:.1e} in the same units when positions are nudged by an epsilon", grown);
      if (grown <= bound) findings.at_most(velocity, bound, close.velocity);
      else findings.report(velocity, close.velocity, nudged_note);
    }
}

}  // namespace

ExperimentPlugin experiment_E87() {
  return {.title = "Scaled units give the scaled motion",
          .source = "oracle",
          .doc = "The same scene in other units of length, mass and time.",
          .params = {number("length_unit", "", 3e-3, positive(), "factor L"),
                     number("mass_unit", "", 7e4, positive(), "factor M"),
                     number("time_unit", "", 0.11, positive(), "factor T"),
                     integer("cells", 2, between(1, 12), "cells across"),
                     number("young", "Pa", 1e5, positive(), "stiffness"),
                     number("density", "kg/m^3", 1000, positive(), "density"),
                     number("step", "s", 0.01, positive(), "time step"),
                     integer("frames", 30, between(1, 10000), "steps"),
                     integer("iterations", 10, between(1, 1000), "iterations of the truncated solves, per step")},
          .quick = Quick{.set = {{"cells", 1}, {"frames", 10}}},
          .run = run};
}

}  // namespace resilin
