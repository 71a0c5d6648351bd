// What every experiment needs: bodies, single stages, random numbers, and solvers as published, for experiments
// reproduce papers.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "lab/study.h"
#include "setup/bodies.h"
#include "setup/one_stage.h"
#include "setup/random.h"
#include "setup/solvers.h"

namespace resilin::lab {

using namespace setup;
using resilin::make_integrator;
using resilin::Values;

inline std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params = {}) {
  return published_solver(name, params);
}
inline std::unique_ptr<Simulation> make_simulation(Model model, double step, const std::string& solver,
                                                   const Values& solver_params = {},
                                                   const std::string& integrator = "backward_euler",
                                                   int threads = 0) {
  return published_simulation(std::move(model), step, solver, solver_params, integrator, threads);
}
/// Solvers that take PD strain and no neo-Hookean solid: projective_dynamics and pbd.
inline bool wants_strain(const std::string& solver) { return solver == "projective_dynamics" || solver == "pbd"; }

}  // namespace resilin::lab
