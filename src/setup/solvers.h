// Solvers as papers mean them, which is not what the library does by default: "method" is "paper", the start is the
// target, and a solve ends after ten iterations or at a relative gradient of 1e-3.
#pragma once
#include <memory>
#include <string>

#include "resilin/builder.h"
#include "resilin/solver.h"

namespace resilin::setup {

/// `params`, and the values of the paper for those that are not given.
Values as_published(const std::string& solver, Values params);
std::unique_ptr<Solver> published_solver(const std::string& name, const Values& params = {});
std::unique_ptr<Simulation> published_simulation(Model model, double step, const std::string& solver,
                                                 const Values& solver_params = {},
                                                 const std::string& integrator = "backward_euler", int threads = 0);
/// `params` with the double factor, for solvers that let one choose: where the last digits count.
Values with_double_factor(const std::string& solver, Values params);

}  // namespace resilin::setup
