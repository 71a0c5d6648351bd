// Making things by their registered names, for host programs that build a model in code instead of reading a scene.
//
//   Model model;
//   const int body = add_solid(model, box({...}), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.45}});
//   pin_vertices(model, ids);
//   auto simulation = make_simulation(std::move(model), 1.0 / 60, "quasi_newton", {{"iterations", 10}});
//   simulation->step();
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "resilin/integrator.h"
#include "resilin/model.h"
#include "resilin/params.h"
#include "resilin/simulation.h"
#include "resilin/solver.h"

namespace resilin {

/// Parameter values by name; unknown names and values out of range throw InputError.
using Values = Value::Object;

/// Adds a body of tets with one material; returns its index in model.bodies.
int add_solid(Model& model, const TetMesh& mesh, double density, const std::string& material, const Values& params = {});
/// Damps a term (index in model.terms) with a registered model: {"shear", 100} of strain_rate, for instance.
void add_damping(Model& model, int term, const std::string& type, const Values& params = {});
/// Hard pins at the vertices' rest positions, following `motion`.
void pin_vertices(Model& model, std::vector<int> vertices, Motion motion = {});

std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params = {});
std::unique_ptr<Integrator> make_integrator(const std::string& name, const Values& params = {});
/// threads 0: all cores this process may use.
std::unique_ptr<Simulation> make_simulation(Model model, double step, const std::string& solver, const Values& solver_params = {},
                                            const std::string& integrator = "backward_euler", int threads = 0);

}  // namespace resilin
