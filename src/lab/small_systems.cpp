#include "lab/small_systems.h"

#include <cmath>

#include "lab/advance.h"
#include "resilin/shapes.h"

namespace resilin::lab {

Model spring_model(const SpringSystem& system) {
  Springs net{.stiffness = system.stiffness, .mass = system.mass, .length = system.length};
  for (const auto& x : system.at) net.mesh.vertices.insert(net.mesh.vertices.end(), x.begin(), x.end());
  for (const auto& edge : system.edges) net.mesh.edges.insert(net.mesh.edges.end(), edge.begin(), edge.end());
  Builder builder;
  builder.gravity({0, 0, 0});
  builder.add(net);
  if (!system.pinned.empty()) builder.pin({.vertices = system.pinned});
  return std::move(builder).model();
}

Model one_spring(const std::array<double, 3>& at, const std::array<double, 2>& mass, double stiffness,
                 double length, bool pinned) {
  return spring_model({.at = {{0, 0, 0}, at},
                       .mass = {mass[0], mass[1]},
                       .edges = {{0, 1}},
                       .stiffness = {stiffness},
                       .length = {length},
                       .pinned = pinned ? std::vector{0} : std::vector<int>{}});
}

SpringSystem spring_chain(int links, const std::array<double, 3>& link, double mass, double stiffness,
                          double length) {
  SpringSystem out;
  for (int i = 0; i <= links; ++i) {
    out.at.push_back({i * link[0], i * link[1], i * link[2]}), out.mass.push_back(mass);
    if (i > 0) out.edges.push_back({i - 1, i}), out.stiffness.push_back(stiffness), out.length.push_back(length);
  }
  out.pinned = {0};
  return out;
}

Model oscillator_model(double w) {
  return spring_model({.at = {{0, 0, 0}, {1, 0, 0}},
                       .mass = {1, 1},
                       .edges = {{0, 1}},
                       .stiffness = {w * w},
                       .length = {0},
                       .pinned = {0}});
}

Model rod_model(double mass, double stiffness) {
  return spring_model({.at = {{-0.5, 0, 0}, {0.5, 0, 0}},
                       .mass = {mass, mass},
                       .edges = {{0, 1}},
                       .stiffness = {stiffness},
                       .length = {1}});
}

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
  BoxOptions options;
  options.size = {1, 0.2, 0.2};
  options.cells = {6, 1, 1};
  return solid(box(options), 1000, "neo_hookean", {{"young", young}, {"poisson", 0.4}});
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
