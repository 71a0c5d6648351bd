#include <gtest/gtest.h>

#include "speed_meter.h"

namespace resilin::viewer {
namespace {

using std::chrono::milliseconds;

SpeedMeter::Clock::time_point at(int ms) { return SpeedMeter::Clock::time_point(milliseconds(ms)); }

TEST(SpeedMeter, IsSimulatedTimeOverWallTime) {
  SpeedMeter meter;
  EXPECT_FALSE(meter.speed());
  // Frames of 1/60 s of simulated time that take 1 ms and 99 ms in turn: the mean of their rates is 8.4.
  for (int i = 0; i < 40; ++i) {
    meter.add_frame(1.0 / 60, at(100 * i), at(100 * i + 1));
    meter.add_frame(1.0 / 60, at(100 * i + 1), at(100 * i + 100));
  }
  EXPECT_NEAR(*meter.speed(), 2.0 / 60 / 0.1, 0.02);
}

TEST(SpeedMeter, OneLongFrameIsTheWholeWindow) {
  SpeedMeter meter;
  meter.add_frame(1.0 / 30, at(0), at(1));
  meter.add_frame(1.0 / 30, at(1), at(5001));
  EXPECT_NEAR(*meter.speed(), 1.0 / 30 / 5, 1e-12);
}

TEST(SpeedMeter, ForgetsWhatIsOlderThanItsWindow) {
  SpeedMeter meter;
  for (int i = 0; i < 100; ++i) meter.add_frame(0.01, at(10 * i), at(10 * i + 10));
  EXPECT_NEAR(*meter.speed(), 1, 1e-9);
  for (int i = 0; i < 110; ++i) meter.add_frame(0.002, at(1000 + 10 * i), at(1000 + 10 * i + 10));
  EXPECT_NEAR(*meter.speed(), 0.2, 1e-9);
}

TEST(SpeedMeter, APauseDoesNotCount) {
  SpeedMeter meter;
  for (int i = 0; i < 10; ++i) meter.add_frame(0.01, at(10 * i), at(10 * i + 10));
  meter.clear();
  EXPECT_FALSE(meter.speed());
  meter.add_frame(0.01, at(60'000), at(60'010));
  EXPECT_NEAR(*meter.speed(), 1, 1e-9);
}

}  // namespace
}  // namespace resilin::viewer
