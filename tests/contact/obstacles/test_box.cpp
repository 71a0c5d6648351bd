#include <gtest/gtest.h>

#include "contact/obstacle_of.h"
#include "resilin/errors.h"

namespace resilin::test {
namespace {

TEST(BoxObstacle, HasFacesEdgesAndCorners) {
  const auto box = obstacle_of("box", {{"size", Value::List{2, 4, 6}}});
  EXPECT_DOUBLE_EQ(box->distance({0, 0, 0}), -1);
  EXPECT_DOUBLE_EQ(box->distance({0, 1.75, 0}), -0.25);
  EXPECT_DOUBLE_EQ(box->distance({-3, 1, 1}), 2);
  EXPECT_DOUBLE_EQ(box->distance({4, -6, 0}), 5);
  EXPECT_DOUBLE_EQ(box->distance({2, 4, 5}), 3);
  EXPECT_DOUBLE_EQ(box->distance({1, 2, 3}), 0);
}

TEST(BoxObstacle, NeedsAnExtent) { EXPECT_THROW(obstacle_of("box", {{"size", Value::List{1, 0, 1}}}), InputError); }

}  // namespace
}  // namespace resilin::test
