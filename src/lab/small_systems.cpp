#include "lab/small_systems.h"

#include "lab/toolkit.h"

namespace resilin::lab {

std::unique_ptr<Simulation> precise_simulation(Model model, double h, const std::string& integrator,
                                               const Values& params) {
  SimulationOptions options;
  options.step = h;
  options.threads = 1;
  options.stop = {.iterations = 100, .gradient = 1e-13};
  return std::make_unique<Simulation>(std::move(model), make_integrator(integrator, params),
                                      lab::make_solver("newton", {{"hessian", "exact_first"}}), options);
}

void start_from(Simulation& simulation, const std::vector<double>& q, const std::vector<double>& v) {
  State state = simulation.state();
  if (!q.empty()) state.q = q;
  if (!v.empty()) state.v = v;
  simulation.set_state(std::move(state));
}

void spin(Simulation& simulation, const std::array<double, 3>& omega) {
  State state = simulation.state();
  for (std::size_t i = 0; i < state.q.size(); i += 3)
    for (int k = 0; k < 3; ++k)
      state.v[i + k] +=
          omega[(k + 1) % 3] * state.q[i + (k + 2) % 3] - omega[(k + 2) % 3] * state.q[i + (k + 1) % 3];
  simulation.set_state(std::move(state));
}

double total_energy(Simulation& simulation) {
  const Energy e = simulation.energy();
  return e.kinetic + e.elastic + e.external;
}

Model slender_beam(double young) {
  return solid(box({.size = {1, 0.2, 0.2}, .cells = {6, 1, 1}}), 1000, "neo_hookean",
               {{"young", young}, {"poisson", 0.4}});
}

Course follow(Simulation& simulation, double duration) {
  const double momentum = simulation.angular_momentum()[2], energy = total_energy(simulation);
  const auto steps = std::lround(duration / simulation.options().step);
  Course out{{simulation.state().time}, {1}, {1}};
  for (long i = 0; i < steps; ++i) {
    advance(simulation);
    out.time.push_back(simulation.state().time);
    out.momentum.push_back(simulation.angular_momentum()[2] / momentum);
    out.energy.push_back(total_energy(simulation) / energy);
  }
  return out;
}

std::vector<double> slopes(const std::vector<double>& errors) {
  std::vector<double> out;
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) out.push_back(std::log2(errors[i] / errors[i + 1]));
  return out;
}

}  // namespace resilin::lab
