// A mass on a spring of rest length zero: the linear oscillator x'' = -w^2 x in three dimensions, for tests of integrators.
#pragma once
#include <cmath>

#include "lab/setup.h"
#include "potentials/spring.h"

namespace resilin::lab {

inline std::unique_ptr<Simulation> oscillator(const std::string& integrator, double w, double h,
                                              const Values& params = {}) {
  Model model;
  model.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0});
  model.mass = {1, 1};
  const std::vector<int> edge = {0, 1};
  const double k = w * w, length = 0;
  model.terms.push_back(
      {"spring", Elements::springs(edge), {make_spring(std::span(&k, 1), std::span(&length, 1))}});
  model.gravity = {0, 0, 0};
  pin(model, {0});
  SimulationOptions options;
  options.step = h;
  options.stop = {.iterations = 50, .gradient = 1e-14};
  return std::make_unique<Simulation>(std::move(model), make_integrator(integrator, params), lab::make_solver("newton"),
                                      options);
}

/// Position and velocity of the mass after some steps.
inline std::array<double, 2> after(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) simulation.step();
  return {simulation.state().q[3], simulation.state().v[3]};
}

}  // namespace resilin::lab
