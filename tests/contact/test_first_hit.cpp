#include <gtest/gtest.h>

#include <cmath>

#include "contact/first_hit.h"
#include "contact/obstacle_of.h"

namespace resilin::test {
namespace {

const auto plate = obstacle_of("box", {{"size", Value::List{2, 0.01, 2}}});

Way way(const Vec3& from, const Vec3& to) { return {0, from, 1, to}; }

TEST(FirstHit, AFastVertexMeetsAThinPlate) {
  EXPECT_NEAR(first_hit(*plate, {}, way({0, 1.005, 0}, {0, -0.995, 0})), 0.5, 1e-5);
  EXPECT_NEAR(first_hit(*plate, {}, way({0.1, 100, 0.3}, {0.1, -100, 0.3})), 0.499975, 1e-5);
  EXPECT_EQ(first_hit(*plate, {}, way({3, 1, 0}, {3, -1, 0})), 1);
  EXPECT_EQ(first_hit(*plate, {}, way({0, 1, 0}, {0, 0.5, 0})), 1);
  EXPECT_EQ(first_hit(*plate, {}, way({0, 0, 0}, {0, 1, 0})), 0) << "it begins inside";
  EXPECT_EQ(first_hit(*plate, {}, way({0, 1, 0}, {0, 1, 0})), 1) << "it stands";
}

// The vertex stands, and the plate comes; then both move alike and never meet.
TEST(FirstHit, AnObstacleThatMovesHitsToo) {
  MotionStep fall{MotionStep::Kind::translate, {0, -1, 0}, {}, {}};
  fall.amount.keyframes = {{0, 0}, {1, 4}};
  const Motion motion({fall});
  EXPECT_NEAR(first_hit(*plate, motion, way({0, -2.005, 0}, {0, -2.005, 0})), 0.5, 1e-5);
  EXPECT_EQ(first_hit(*plate, motion, way({0, -0.1, 0}, {0, -4.1, 0})), 1);
  EXPECT_EQ(first_hit(*plate, motion, {1, {0, -2, 0}, 2, {0, -2, 0}}), 1) << "it has passed";
}

TEST(FirstHit, OnlyWhatWouldComeOutOnAnotherSideIsStopped) {
  EXPECT_NEAR(way_without_tunnel(*plate, {}, way({0, 1.005, 0}, {0, -0.995, 0})), 0.5, 1e-5);
  EXPECT_EQ(way_without_tunnel(*plate, {}, way({0, 1, 0}, {0, 0.001, 0})), 1) << "it stops in the upper half";
  EXPECT_NEAR(way_without_tunnel(*plate, {}, way({0, 1.005, 0}, {0, -0.002, 0})), 1 / 1.007, 1e-5)
      << "it would be pushed out below";
  EXPECT_EQ(way_without_tunnel(*plate, {}, way({0, 0.003, 0}, {0, 1, 0})), 1) << "it leaves on its own side";
  EXPECT_EQ(way_without_tunnel(*plate, {}, way({0, 0.003, 0}, {0, -1, 0})), 0);
}

// Through the rim of a ball: it enters on one side and leaves on another, with normals that differ by less than a right angle.
TEST(FirstHit, WhatOnlyGrazesGoesOn) {
  const auto ball = obstacle_of("sphere", {{"radius", 1}});
  EXPECT_EQ(way_without_tunnel(*ball, {}, way({-2, 0.95, 0}, {2, 0.95, 0})), 1);
  const double entry = (2 - std::sqrt(1 - 0.01)) / 4;
  EXPECT_NEAR(way_without_tunnel(*ball, {}, way({-2, 0.1, 0}, {2, 0.1, 0})), entry, 1e-4);
  EXPECT_NEAR(first_hit(*ball, {}, way({-2, 0.1, 0}, {2, 0.1, 0})), entry, 1e-4);
}

}  // namespace
}  // namespace resilin::test
