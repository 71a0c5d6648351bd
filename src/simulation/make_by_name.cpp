// Solvers, integrators and simulations by name.
#include "resilin/builder.h"
#include "resilin/registry.h"
#include "simulation/builder_parts.h"

namespace resilin {

std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params) {
  const SolverPlugin& kind = plugin<SolverPlugin>("solver", name, "solver");
  return kind.make(kind.params.read(Value(params)));
}

std::unique_ptr<Integrator> make_integrator(const std::string& name, const Values& params) {
  const IntegratorPlugin& kind = plugin<IntegratorPlugin>("integrator", name, "integrator");
  return kind.make(kind.params.read(Value(params)));
}

std::unique_ptr<Simulation> make_simulation(Model model, const SimulationChoice& choice) {
  const SolverPlugin& solver = plugin<SolverPlugin>("solver", choice.solver.type, "solver");
  const IntegratorPlugin& integrator = plugin<IntegratorPlugin>("integrator", choice.integrator.type, "integrator");
  const auto of_solver = settings_of(choice.solver, solver.params, "solver", ""),
             of_integrator = settings_of(choice.integrator, integrator.params, "integrator", "");
  SimulationOptions options;
  options.step = choice.step;
  options.threads = choice.threads;
  options.stop = stop_rule(*of_solver);
  options.reduction = choice.reduction;
  options.reduction_store = choice.reduction_store;
  return std::make_unique<Simulation>(std::move(model), integrator.make(*of_integrator), solver.make(*of_solver),
                                      options);
}

}  // namespace resilin
