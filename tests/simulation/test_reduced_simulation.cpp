#include <gtest/gtest.h>

#include "lab/setup.h"
#include "resilin/errors.h"

namespace resilin::lab {
namespace {

std::unique_ptr<Simulation> reduced(const char* solver, const char* integrator) {
  SimulationOptions options;
  options.reduction = ReductionSettings{.handles = 4, .fit_handles = 2, .samples = 20};
  return std::make_unique<Simulation>(solid(beam_mesh(2), 1000, "arap", {}), make_integrator(integrator),
                                      make_solver(solver), options);
}

TEST(ReducedSimulation, RefusesWhatWorksVertexByVertex) {
  EXPECT_THROW(reduced("newton", "backward_euler"), InputError);
  EXPECT_THROW(reduced("admm", "backward_euler"), InputError);
  EXPECT_THROW(reduced("quasi_newton", "linearly_implicit_euler"), InputError);
}

TEST(ReducedSimulation, StepsWithIntegratorsOfSeveralKinds) {
  for (const char* integrator : {"backward_euler", "bdf2", "tr_bdf2", "implicit_midpoint", "runge_kutta4"}) {
    const auto simulation = reduced("quasi_newton", integrator);
    EXPECT_NE(simulation->step().status, Status::not_finite) << integrator;
    EXPECT_EQ(simulation->positions().size(), simulation->model().rest.size());
  }
}

}  // namespace
}  // namespace resilin::lab
