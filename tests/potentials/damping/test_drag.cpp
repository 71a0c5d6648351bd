#include "potentials/damping/damping_checks.h"

namespace resilin::lab {
namespace {

TEST(Drag, KeepsThePromisesOfDamping) {
  check_all({.type = "drag", .params = {{"coefficient", 2.0}}});
  check_all({.type = "drag", .params = {{"coefficient", 2.0}, {"power", 2.0}}});
  check_all({.type = "drag", .params = {{"coefficient", 2.0}, {"power", 0.0}, {"smoothing", 0.1}}});
}

// E33 with p = 1: v_n = v_0 / (1 + c h/m)^n for backward Euler.
TEST(Drag, SlowsAFreeParticleLikeTheScheme) {
  Model model;
  model.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0});
  model.mass = {0.5, 0.5};
  model.gravity = {0, 0, 0};
  const std::vector<int> edge = {0, 1};
  model.terms.push_back({"none", Elements::springs(edge), {}});
  add_damping(model, 0, "drag", {{"coefficient", 2.0}});
  const auto simulation =
      make_simulation(std::move(model), 0.01, "newton", {{"tolerance", 1e-12}, {"iterations", 20}});
  State state = simulation->state();
  for (std::size_t i = 0; i < 6; i += 3) state.v[i] = 3;
  simulation->set_state(state);
  for (int i = 0; i < 10; ++i) simulation->step();
  EXPECT_NEAR(simulation->state().v[0], 3 / std::pow(1 + 2 * 0.01 / 0.5, 10), 1e-12);
}

}  // namespace
}  // namespace resilin::lab
