#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact/obstacles/placement.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

Motion wheel() {  // a turn per second about z through (1, 0, 0), that rolls along x
  MotionStep turn{MotionStep::Kind::rotate, {0, 0, 1}, {1, 0, 0}, {}};
  turn.amount.keyframes = {{0, 0}, {10, 20 * std::numbers::pi}};
  MotionStep roll{MotionStep::Kind::translate, {3, 0, 0}, {}, {}};
  roll.amount.keyframes = {{0, 0}, {10, 10}};
  return Motion({turn, roll});
}

TEST(Placement, AFrameTakesPointsWhereTheMotionDoes) {
  const Motion motion = wheel();
  for (const double time : {0.0, 0.3, 7.7}) {
    const Pose pose = pose_at(motion, time);
    const Vec3 own{0.4, -0.7, 2.5};
    Vec3 x, v;
    motion.at(time, own.data(), x.data(), v.data());
    EXPECT_LE(norm(pose.world(own) - x), 1e-13);
    EXPECT_LE(norm(pose.own(x.data()) - own), 1e-13);
  }
}

TEST(Placement, VelocityIsThatOfTheSurface) {
  const Motion motion = wheel();
  const double at[3] = {4, 0.5, 0};  // the centre is at (4, 0, 0) after a second
  const Vec3 v{3 - 2 * std::numbers::pi * 0.5, 0, 0};
  const Vec3 by = moved(motion, at, 1, 1 + 1e-6);
  EXPECT_LE(norm(by - 1e-6 * v), 1e-10);
}

TEST(Placement, ATurnOfAWholeStepIsKnownExactly) {
  const double at[3] = {4, 0.5, 0};
  const Vec3 by = moved(wheel(), at, 1, 1.25);  // a quarter: from above the centre to beside it
  EXPECT_NEAR(by[0], 0.75 - 0.5, 1e-12);
  EXPECT_NEAR(by[1], -0.5, 1e-12);
}

TEST(Placement, WhatStandsDoesNotMove) {
  MotionStep turn{MotionStep::Kind::rotate, {0, 1, 0}, {0, 0, 0}, {}};
  turn.amount.constant = 0.3;
  const Motion motion({turn});
  EXPECT_FALSE(motion.moves());
  EXPECT_TRUE(motion.places());
  const double at[3] = {1, 2, 3};
  EXPECT_EQ(moved(motion, at, 0, 5), (Vec3{0, 0, 0}));
  EXPECT_NEAR(pose_at(motion, 9).world({1, 0, 0})[2], -std::sin(0.3), 1e-14);
}

}  // namespace
}  // namespace resilin
