#include <gtest/gtest.h>

#include "potentials/spring.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// At x_n, not where it would fly: a spring at rest feels nothing of a motion across it until it has been carried
// out.
TEST(LinearlyImplicitEuler, LinearisesWhereTheStepBegins) {
  const double k = 400, length = 1, h = 0.1;
  Model model;
  model.gravity = {0, 0, 0};
  model.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0});
  model.mass = {1, 1};
  model.terms.push_back(
      {"spring", Elements::springs(std::array{0, 1}), {make_spring(std::span(&k, 1), std::span(&length, 1))}});
  pin(model, {0});
  const auto simulation = published_simulation(std::move(model), h, "newton", {}, "linearly_implicit_euler");
  State state = simulation->state();
  state.v[4] = 5;
  simulation->set_state(std::move(state));
  simulation->step();
  EXPECT_NEAR(simulation->positions()[3], 1, 1e-12);
  EXPECT_NEAR(simulation->positions()[4], 5 * h, 1e-12);
}

}  // namespace
}  // namespace resilin::test
