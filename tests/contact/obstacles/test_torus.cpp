#include <gtest/gtest.h>

#include <string>

#include "contact/obstacle_of.h"
#include "resilin/errors.h"

namespace resilin::test {
namespace {

TEST(TorusObstacle, HasAHole) {
  const auto ring = obstacle_of("torus", {{"radius", 2}, {"tube_radius", 0.5}});
  EXPECT_DOUBLE_EQ(ring->distance({0, 0, 0}), 1.5);
  EXPECT_DOUBLE_EQ(ring->distance({0, -2, 0}), -0.5);
  EXPECT_DOUBLE_EQ(ring->distance({2, 0, 2}), 1.5);
  EXPECT_DOUBLE_EQ(ring->distance({5, 0, 4}), 4.5);
}

TEST(TorusObstacle, NeedsAHole) {
  try {
    obstacle_of("torus", {{"radius", 0.3}, {"tube_radius", 0.3}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("tube_radius"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace resilin::test
