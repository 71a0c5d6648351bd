#include "setup/solvers.h"

#include <algorithm>
#include <utility>

#include "resilin/registry.h"

namespace resilin::setup {

Values as_published(const std::string& solver, Values params) {
  const Params& known = plugin<SolverPlugin>("solver", solver, "setup").params;
  const auto given = [&](const char* name) {
    return std::any_of(params.begin(), params.end(), [&](const auto& p) { return p.first == name; });
  };
  if (known.find("method") != nullptr && !given("method")) params.emplace_back("method", "paper");
  if (known.find("start") != nullptr && !given("start")) params.emplace_back("start", "target");
  if (!given("iterations")) params.emplace_back("iterations", 10);
  if (!given("tolerance") && !given("gradient_tolerance")) params.emplace_back("gradient_tolerance", 1e-3);
  return params;
}

std::unique_ptr<Solver> published_solver(const std::string& name, const Values& params) {
  return make_solver(name, as_published(name, params));
}

std::unique_ptr<Simulation> published_simulation(Model model, double step, const std::string& solver,
                                                 const Values& solver_params, const std::string& integrator,
                                                 int threads) {
  return make_simulation(std::move(model), {.step = step,
                                            .solver = {solver, as_published(solver, solver_params)},
                                            .integrator = integrator,
                                            .threads = threads});
}

Values with_double_factor(const std::string& solver, Values params) {
  if (plugin<SolverPlugin>("solver", solver, "setup").params.find("linear_solver") != nullptr)
    params.emplace_back("linear_solver", "cholesky");
  return params;
}

}  // namespace resilin::setup
