#include "resilin/make.h"

#include <fmt/format.h>

#include "potentials/damping/damping.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "resilin/registry.h"

namespace resilin {

int add_solid(Model& model, const TetMesh& mesh, double density, const std::string& material, const Values& params) {
  validate(mesh, material + " body");
  const int body = add_tet_body(model, material, mesh, std::span(&density, 1));
  const MaterialPlugin& kind = plugin<MaterialPlugin>("material", material, "model");
  const Settings settings = kind.params.read(Value(params));
  const std::vector<int>& tets = model.bodies[body].tets;
  const int count = static_cast<int>(tets.size() / 4), listed = settings.element_count();
  if (listed > 0 && listed != count)
    throw InputError(material + " body", fmt::format("a list of {} values for {} tets", listed, count));
  std::vector<ElementSettings> elements;
  for (int i = 0; i < count; ++i) elements.push_back({&settings, i});
  model.terms.push_back({material, Elements::tets(model.rest, tets), {kind.make(elements)}});
  return body;
}

void add_damping(Model& model, int term, const std::string& type, const Values& params) {
  damp_term(model, term, type, plugin<DampingPlugin>("damping", type, "model").params.read(Value(params)));
}

void pin_vertices(Model& model, std::vector<int> vertices, Motion motion) {
  Pin pin;
  for (const int v : vertices)
    for (int k = 0; k < 3; ++k) pin.start.push_back(model.rest.at(3 * static_cast<std::size_t>(v) + k));
  pin.vertices = std::move(vertices);
  pin.motion = std::move(motion);
  model.pins.push_back(std::move(pin));
}

std::unique_ptr<Solver> make_solver(const std::string& name, const Values& params) {
  const SolverPlugin& kind = plugin<SolverPlugin>("solver", name, "solver");
  return kind.make(kind.params.read(Value(params)));
}

std::unique_ptr<Integrator> make_integrator(const std::string& name, const Values& params) {
  const IntegratorPlugin& kind = plugin<IntegratorPlugin>("integrator", name, "integrator");
  return kind.make(kind.params.read(Value(params)));
}

std::unique_ptr<Simulation> make_simulation(Model model, double step, const std::string& solver, const Values& solver_params,
                                            const std::string& integrator, int threads) {
  const SolverPlugin& kind = plugin<SolverPlugin>("solver", solver, "solver");
  const Settings settings = kind.params.read(Value(solver_params));
  SimulationOptions options;
  options.step = step;
  options.threads = threads;
  options.stop = stop_rule(settings);
  return std::make_unique<Simulation>(std::move(model), make_integrator(integrator), kind.make(settings), options);
}

}  // namespace resilin
