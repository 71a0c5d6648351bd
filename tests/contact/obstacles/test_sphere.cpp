#include <gtest/gtest.h>

#include "contact/obstacle_of.h"
#include "resilin/errors.h"

namespace resilin::test {
namespace {

TEST(Sphere, IsABallAroundTheOrigin) {
  const auto ball = obstacle_of("sphere", {{"radius", 2}});
  EXPECT_DOUBLE_EQ(ball->distance({0, 0, 0}), -2);
  EXPECT_DOUBLE_EQ(ball->distance({3, 0, 4}), 3);
  EXPECT_DOUBLE_EQ(obstacle_of("sphere", {{"radius", 2}, {"inside", true}})->distance({3, 0, 4}), -3);
}

TEST(Sphere, NeedsARadius) {
  EXPECT_THROW(obstacle_of("sphere", {{"radius", 0}}), InputError);
  EXPECT_THROW(obstacle_of("sphere", {{"radius", -1}}), InputError);
}

}  // namespace
}  // namespace resilin::test
