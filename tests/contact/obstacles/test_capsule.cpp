#include <gtest/gtest.h>

#include "contact/obstacle_of.h"
#include "resilin/errors.h"

namespace resilin::test {
namespace {

TEST(Capsule, IsRoundAtItsEnds) {
  const auto rod = obstacle_of("capsule", {{"radius", 0.5}, {"length", 2}});
  EXPECT_DOUBLE_EQ(rod->distance({0, 0, 0}), -0.5);
  EXPECT_DOUBLE_EQ(rod->distance({3, 4, 0.9}), 4.5);
  EXPECT_DOUBLE_EQ(rod->distance({0, 0, -2}), 0.5);
  EXPECT_DOUBLE_EQ(rod->distance({3, 0, 5}), 4.5);
}

TEST(Capsule, NeedsALength) { EXPECT_THROW(obstacle_of("capsule", {{"length", 0}}), InputError); }

}  // namespace
}  // namespace resilin::test
