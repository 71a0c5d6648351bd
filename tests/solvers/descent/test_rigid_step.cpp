#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/rigid_step.h"

namespace resilin {
namespace {

// Neither has a rotation that is determined, and both have a place.
TEST(RigidStep, ALineAndAPointMoveOntoTheirTarget) {
  const std::vector<double> mass = {1, 3, 2};
  for (const std::vector<int>& component : {std::vector<int>{0, 1, 2}, std::vector<int>{1}}) {
    std::vector<double> x = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const std::vector<double> before = x;
    std::vector<double> target = x;
    for (std::size_t i = 0; i < target.size(); ++i) target[i] += i % 3 == 1 ? -0.5 : 0.25;
    rigid_step(mass, component, target, x);
    for (const int v : component)
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(x[3 * v + k], target[3 * v + k], 1e-14);
    for (int v = 0; v < 3; ++v)
      if (std::find(component.begin(), component.end(), v) == component.end()) {
        EXPECT_EQ(x[3 * v], before[3 * v]);
      }
  }
}

TEST(RigidStep, ABodyTurnsOntoItsTarget) {
  const std::vector<double> mass = {1, 2, 3, 4}, rest = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
  std::vector<double> x = rest, target(12);
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (int v = 0; v < 4; ++v) {
    target[3 * v] = c * x[3 * v] - s * x[3 * v + 1] + 2;
    target[3 * v + 1] = s * x[3 * v] + c * x[3 * v + 1] - 1;
    target[3 * v + 2] = x[3 * v + 2] + 0.5;
  }
  rigid_step(mass, {0, 1, 2, 3}, target, x);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(x[i], target[i], 1e-13);
}

}  // namespace
}  // namespace resilin
