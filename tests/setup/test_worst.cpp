#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "setup/worst.h"

namespace resilin::setup {
namespace {

TEST(Worst, IsTheLargestValueSeen) {
  Worst worst;
  for (const double x : {-3.0, -1.0, -2.0}) worst.see(x);
  EXPECT_EQ(worst, -1);
  Worst from_zero = 0;
  from_zero.see(-1);
  EXPECT_EQ(from_zero, 0);
}

TEST(Worst, LeastIsTheSmallestValueSeen) {
  Least least;
  for (const double x : {3.0, 1.0, 2.0}) least.see(x);
  EXPECT_EQ(least, 1);
}

TEST(Worst, ANanStaysWhereverItComes) {
  for (int place = 0; place < 3; ++place) {
    std::array<double, 3> values = {1, 5, 2};
    values[place] = NAN;
    EXPECT_TRUE(std::isnan(Worst::of(values))) << place;
    EXPECT_TRUE(std::isnan(Least::of(values))) << place;
    Worst worst = 0;
    for (const double x : values) worst.see(x);
    EXPECT_TRUE(std::isnan(worst)) << place;
  }
  EXPECT_TRUE(std::isnan(Worst::of({INFINITY, NAN, INFINITY})));
  EXPECT_TRUE(std::isnan(Worst(NAN)));
}

TEST(Worst, NothingSeenIsNoMeasurement) {
  EXPECT_TRUE(std::isnan(Worst()));
  EXPECT_TRUE(std::isnan(Least::of(std::vector<double>{})));
}

}  // namespace
}  // namespace resilin::setup
