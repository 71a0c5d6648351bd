// E79: free fall and a projectile, a deformable body under gravity alone, for every registered integrator and
// solver.
//   first order (backward Euler):   y_n = y_0 + n h v_0 - g h^2 n (n + 1)/2, exactly (forward Euler: n (n - 1))
//   second order:                   y_n = y_0 + t v_0 - g t^2/2, exactly
// and the momentum changes by m g t. Nothing deforms.
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Worst {
  lab::Worst position, momentum;
};

// PD strain: the one material that every solver takes.
Worst fall(const Settings& s, const std::string& integrator, const std::string& solver, const Vec3& velocity) {
  Model model = lab::solid(lab::cube_mesh(2), s.number("density"), "arap", {{"stiffness", s.number("stiffness")}});
  const double g = s.number("gravity");
  model.gravity = {0, -g, 0};
  const auto scheme = lab::make_integrator(integrator);
  const int order = scheme->order();
  // Explicit ones make rounding grow unless the step is small: forward Euler by 1 + (w h)^2/2 a step.
  const double h = scheme->stages() > 0 ? s.number("step") : s.number("step") / 10;
  auto simulation = lab::make_simulation(std::move(model), h, solver, {}, integrator);
  State state = simulation->state();
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = velocity[i % 3];
  simulation->set_state(state);
  const auto before = simulation->momentum();
  const int n = s.integer("steps");
  lab::advance(*simulation, n);

  const int sum = integrator == "forward_euler" ? n - 1 : n + 1;
  const double t = n * h, drop = order == 1 ? g * h * h * n * sum / 2 : g * t * t / 2;
  lab::Worst far = drop;
  for (const double v : velocity) far.see(std::abs(v) * t);
  Worst worst;
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    const double expected = state.q[i] + t * velocity[i % 3] - (i % 3 == 1 ? drop : 0);
    worst.position.see(std::abs(simulation->positions()[i] - expected) / far);
  }
  const auto after = simulation->momentum();
  const double impulse = simulation->model().total_mass() * g * t;
  for (int k = 0; k < 3; ++k) worst.momentum.see(std::abs(after[k] - before[k] + (k == 1 ? impulse : 0)) / impulse);
  return worst;
}

void run(const Settings& s, Findings& findings) {
  // Velocities are differences of rounded positions, so rounding grows like n^1.5; up to a hundred steps it stays
  // below 1e-12.
  const double tolerance = std::max(1e-12, 4 * 2.2e-16 * std::pow(s.integer("steps"), 1.5));
  for (const auto& integrator : registry<IntegratorPlugin>())
    for (const auto& solver : registry<SolverPlugin>()) {
      const std::string what = integrator.name + ", " + solver.name + ": ";
      findings.at_most(what + "free fall, distance from the exact answer / drop", tolerance,
                       fall(s, integrator.name, solver.name, {0, 0, 0}).position);
      const Worst thrown = fall(s, integrator.name, solver.name, s.vector3("velocity"));
      findings.at_most(what + "projectile, distance from the exact answer / way", tolerance, thrown.position);
      findings.at_most(what + "projectile, momentum change against m g t", tolerance, thrown.momentum);
    }
}

}  // namespace

ExperimentPlugin experiment_E79() {
  return {.title = "Free fall and projectile",
          .source = "oracle",
          .doc = "Positions and momentum of a falling deformable body, exact for every integrator and solver.",
          .params = {number("gravity", "m/s^2", 9.81, positive(), "g, along -y"),
                     number("step", "s", 0.01, positive(), "time step"),
                     integer("steps", 100, between(1, 100000), "number of steps"),
                     vector3("velocity", "m/s", {3, 4, -1}, "velocity of the projectile"),
                     number("density", "kg/m^3", 1000, positive(), "density"),
                     number("stiffness", "Pa", 1e5, positive(), "k of PD strain")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
