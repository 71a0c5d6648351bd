#include <gtest/gtest.h>

#include "support/setup.h"

namespace resilin::test {
namespace {

// A force moves a heavy vertex less; an acceleration does not ask for the mass. Both follow their signals, on top
// of gravity.
TEST(Problem, ForcesAreDividedByTheMassAndAccelerationsAreNot) {
  Model model;
  model.add_vertices(std::vector<double>{0, 0, 0, 1, 0, 0, 2, 0, 0});
  model.mass = {0.5, 4, 1};
  model.gravity = {0, -10, 0};
  ExternalForce force, wind;
  force.vertices = {0, 1}, force.vector = {6, 0, 0};
  force.signal.keyframes = {{0, 0}, {1, 1}};
  wind.vector = {0, 0, 3}, wind.per_mass = true;
  wind.signal.constant = 2;
  model.forces = {force, wind};
  ThreadPool pool(1);
  const DynamicSystem system(model, pool);
  std::vector<double> a(9);
  system.external(0.5, a.data());
  const std::vector<double> wanted = {6, -10, 6, 0.75, -10, 6, 0, -10, 6};
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_DOUBLE_EQ(a[i], wanted[i]) << i;
}

}  // namespace
}  // namespace resilin::test
