// A mass on a spring of rest length zero: the linear oscillator x'' = -w^2 x in three dimensions, for tests of
// integrators.
#pragma once
#include <cmath>

#include "setup/springs.h"
#include "support/setup.h"

namespace resilin::test {

inline std::unique_ptr<Simulation> oscillator(const std::string& integrator, double w, double h,
                                              const Values& params = {}) {
  SimulationOptions options;
  options.step = h;
  options.stop = {.iterations = 50, .gradient = 1e-14};
  return std::make_unique<Simulation>(oscillator_model(w), make_integrator(integrator, params),
                                      published_solver("newton"), options);
}

/// Position and velocity of the mass after some steps.
inline std::array<double, 2> after(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) simulation.step();
  return {simulation.state().q[3], simulation.state().v[3]};
}

}  // namespace resilin::test
