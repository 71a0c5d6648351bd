#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "resilin/errors.h"
#include "resilin/registry.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(Plane, ABodyRestsOnItWithItsWeightCarried) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {{"young", 1e6}, {"poisson", 0.3}});
  model.gravity = {0, -9.81, 0};
  const double weight = model.total_mass() * 9.81, stiffness = 2e5;
  const ObstaclePlugin& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  std::vector<int> all(model.vertex_count());
  for (int i = 0; i < model.vertex_count(); ++i) all[i] = i;
  Value settings{Value::Object{{"height", -0.5}}};
  model.terms.push_back({"ground",
                         Elements::points(all),
                         {make_obstacle_potential(plane.make(plane.params.read(settings)), stiffness)}});
  const auto simulation = published_simulation(std::move(model), 1.0 / 30, "newton",
                                               {{"iterations", 50}, {"gradient_tolerance", 1e-10}});
  for (int i = 0; i < 200; ++i) ASSERT_NE(simulation->step().status, Status::not_finite);
  double carried = 0;
  for (std::size_t i = 1; i < simulation->state().q.size(); i += 3)
    carried += stiffness * std::max(0.0, -0.5 - simulation->state().q[i]);
  EXPECT_NEAR(carried, weight, 1e-3 * weight);
}

TEST(Plane, ZeroNormalIsRefused) {
  const ObstaclePlugin& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  Value settings{Value::Object{{"normal", Value::List{0.0, 0.0, 0.0}}}};
  EXPECT_THROW(make_obstacle_potential(plane.make(plane.params.read(settings)), 1), InputError);
}

}  // namespace
}  // namespace resilin::test
