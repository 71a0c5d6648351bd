#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lanes_of.h"
#include "simd/atan2.h"

namespace resilin {
namespace {

TEST(Atan2, IsThatOfTheLibraryInEveryLane) {
  std::mt19937_64 bits(1);
  for (int trial = 0; trial < 20000; ++trial) {
    Pack x = {}, y = {};
    for (int l = 0; l < lanes; ++l) {
      const double size = std::pow(10, testing::uniform(bits, -100, 100)),
                   angle = testing::uniform(bits, -std::numbers::pi, std::numbers::pi);
      x[l] = size * std::cos(angle), y[l] = size * std::sin(angle);
    }
    const Pack found = atan2(y, x);
    for (int l = 0; l < lanes; ++l) {
      EXPECT_NEAR(lane(found, l), std::atan2(lane(y, l), lane(x, l)), 9e-16);
      EXPECT_TRUE(testing::same_bits(lane(found, l), resilin::atan2<double>(lane(y, l), lane(x, l))));
    }
  }
}

TEST(Atan2, SmallAnglesKeepTheirDigits) {
  for (const double y : {1e-3, 1e-8, 1e-20, -1e-5})
    EXPECT_NEAR(resilin::atan2<double>(y, 2.0) / std::atan2(y, 2.0), 1, 1e-15);
}

TEST(Atan2, AxesAndTheOrigin) {
  constexpr double pi = std::numbers::pi;
  EXPECT_EQ(resilin::atan2<double>(0, 0), 0);
  EXPECT_EQ(resilin::atan2<double>(0, 3), 0);
  EXPECT_DOUBLE_EQ(resilin::atan2<double>(0, -3), pi);
  EXPECT_DOUBLE_EQ(resilin::atan2<double>(2, 0), pi / 2);
  EXPECT_DOUBLE_EQ(resilin::atan2<double>(-2, 0), -pi / 2);
  EXPECT_DOUBLE_EQ(resilin::atan2<double>(-2, -2), -3 * pi / 4);
}

}  // namespace
}  // namespace resilin
