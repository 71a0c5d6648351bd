// E81: linear momentum of an isolated body is kept by every solver wherever it is cut off, because 1^T grad V = 0
// and 1^T A = 1^T M/tau^2, and the start of the iteration has the momentum of the inertial target. Also with a
// factor in float: the mean step is set in double. A twisted body that spins and travels; all registered solvers,
// linear solvers and integrators.
#include "lab/toolkit.h"
#include "linear/linear_solver.h"

namespace resilin {
namespace {

// PD strain where the solver takes no other.
Model body(const Settings& s, const std::string& solver) {
  const int n = s.integer("cells");
  const double k = s.number("young"), density = s.number("density");
  const TetMesh mesh = box({.size = {2, 1, 1}, .cells = {2 * n, n, n}});
  return lab::wants_strain(solver) ? lab::solid(mesh, density, "arap", {{"stiffness", k}})
                                   : lab::solid(mesh, density, "neo_hookean", {{"young", k}, {"poisson", 0.4}});
}

std::unique_ptr<Simulation> spinning_body(const Settings& s, const std::string& solver, const lab::Values& params,
                                          const std::string& integrator) {
  const bool is_explicit = lab::make_integrator(integrator)->stages() == 0;  // stable for small steps only
  auto simulation =
      lab::make_simulation(body(s, solver), s.number("step") / (is_explicit ? 100 : 1), solver, params, integrator);
  State state = simulation->state();
  state.q = lab::twisted(state.q, s.number("twist"));
  const auto spin = s.vector3("spin"), travel = s.vector3("velocity");
  for (std::size_t i = 0; i < state.q.size(); i += 3)
    for (int k3 = 0; k3 < 3; ++k3) {
      const int a = (k3 + 1) % 3, b = (k3 + 2) % 3;
      state.v[i + k3] = travel[k3] + spin[a] * state.q[i + b] - spin[b] * state.q[i + a];
    }
  simulation->set_state(state);
  return simulation;
}

struct Drift {
  lab::Worst change;    // largest |P(n+1) - P(n)| / sum m |v| over the steps
  lab::Worst rounding;  // epsilon times the impulse h sum |f| of the forces at the start of a step, likewise
};

Drift drift(Simulation& simulation, int steps) {
  Drift worst;
  for (int n = 0; n < steps; ++n) {
    const auto before = simulation.momentum();
    double size = 0;
    for (std::size_t i = 0; i < simulation.velocities().size(); i += 3) {
      const double* v = &simulation.velocities()[i];
      size += simulation.model().mass[i / 3] * std::hypot(v[0], v[1], v[2]);
    }
    const StepReport report = simulation.step();
    if (report.status == Status::not_finite) return {std::nan(""), 0};
    const auto after = simulation.momentum();
    worst.change.see(std::hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]) / size);
    const double count = static_cast<double>(simulation.velocities().size());
    worst.rounding.see(2.2e-16 * simulation.options().step * report.solve.first_residual * std::sqrt(count) / size);
  }
  return worst;
}

void run(const Settings& s, Findings& findings) {
  for (const auto& solver : registry<SolverPlugin>())
    for (const auto& linear : registry<LinearSolverPlugin>())
      for (const auto& integrator : registry<IntegratorPlugin>()) {
        const bool chosen = solver.plugin.params.find("linear_solver") != nullptr;
        if (!chosen && linear.name != registry<LinearSolverPlugin>().front().name) continue;
        Drift worst;
        for (const int iterations : {1, 2, 3, s.integer("iterations")}) {
          lab::Values params = {{"iterations", iterations}, {"tolerance", 0}};
          if (chosen) params.emplace_back("linear_solver", linear.name);
          if (solver.plugin.params.find("coarse_modes") != nullptr)
            params.emplace_back("coarse_modes", s.integer("coarse_modes"));
          const Drift one = drift(*spinning_body(s, solver.name, params, integrator.name), s.integer("steps"));
          worst.change.see(one.change), worst.rounding.see(one.rounding);
        }
        const std::string what = solver.name + ", " + (chosen ? linear.name + ", " : "") + integrator.name +
                                 ": |dP| / sum m |v| per step";
        // A run that blew up (midpoint on a very stiff body) has forces whose rounding alone is more than that.
        if (worst.rounding > 1e-11)
          findings.report(what, worst.change, "not judged: forces are beyond what doubles can balance");
        else
          findings.at_most(what, 1e-11, worst.change,
                           fmt::format("largest of 1, 2, 3 and {} iterations", s.integer("iterations")));
      }
}

}  // namespace

ExperimentPlugin experiment_E81() {
  return {.title = "Linear momentum of truncated solves",
          .source = "oracle",
          .doc = "An isolated, twisted, spinning body keeps its momentum however early a solver is stopped.",
          .params = {integer("cells", 3, between(1, 16), "cells across the body"),
                     integer("coarse_modes", 0, between(0, 16),
                             "modes of the two-level method, in solvers that have it"),
                     number("young", "Pa", 1e5, positive(), "stiffness"),
                     number("density", "kg/m^3", 1000, positive(), "density"),
                     number("step", "s", 1.0 / 30, positive(), "time step"),
                     integer("steps", 5, between(1, 10000), "steps of every run"),
                     integer("iterations", 10, between(4, 1000), "the longest truncation"),
                     number("twist", "degrees", 60, any_number(), "twist of the start"),
                     vector3("spin", "rad/s", {1, 2, -3}, "about the origin"),
                     vector3("velocity", "m/s", {2, -1, 0.5}, "velocity of the body")},
          .quick = Quick{.set = {{"cells", 2}, {"steps", 2}}},
          .run = run};
}

}  // namespace resilin
