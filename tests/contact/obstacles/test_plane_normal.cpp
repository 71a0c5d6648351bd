#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "problem/dynamic_system.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

// Its length says nothing: the height is along the normal, and the force is k times the depth.
TEST(Plane, ANormalOfAnyLengthIsADirection) {
  const ObstaclePlugin& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  for (const double length : {1.0, 3.0, 0.01}) {
    const double n[3] = {1.0 / 3, 2.0 / 3, -2.0 / 3};
    const Value settings{
        Value::Object{{"normal", Value::List{length * n[0], length * n[1], length * n[2]}}, {"height", 0.7}}};
    Model model;
    model.add_vertices(std::array{0.0, 0.0, 0.0});
    model.mass = {1};
    model.terms.push_back({"ground",
                           Elements::points(std::array{0}),
                           {make_obstacle_potential(plane.make(plane.params.read(settings)), 500)}});
    ThreadPool pool(1);
    DynamicSystem system(model, pool);
    std::vector<double> force(3);
    for (const double height : {0.5, 0.9}) {  // below it and above it
      const double q[3] = {height * n[0] + 2, height * n[1] - 1, height * n[2]},
                   depth = std::max(0.0, 0.7 - height);
      EXPECT_NEAR(system.potential_energy(q, force.data()), 250 * depth * depth, 1e-9) << length;
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(force[k], -500 * depth * n[k], 1e-9) << length;
    }
  }
}

}  // namespace
}  // namespace resilin
