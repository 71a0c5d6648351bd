#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "contact/obstacle_of.h"
#include "contact/obstacles/vertex_sweeps.h"
#include "geometry/vec3.h"
#include "resilin/shapes.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

const auto plate = obstacle_of("box", {{"size", Value::List{2, 0.01, 2}}});

std::optional<SweepHit> sweep(const Obstacle& obstacle, const Vec3& from, const Vec3& to, const Motion& motion = {},
                              double t0 = 0, double t1 = 1) {
  std::vector<SweepHit> out;
  sweep_vertices(obstacle, motion, {t0, t1, from, to}, out);
  EXPECT_LE(out.size(), 1u);
  return out.empty() ? std::nullopt : std::optional(out[0]);
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance) { EXPECT_LE(norm(a - b), tolerance); }

TEST(VertexSweeps, AFastVertexMeetsAThinPlate) {
  for (const double height : {1.0, 100.0}) {
    const auto found = sweep(*plate, {0.1, height, 0.3}, {0.1, -height, 0.3});
    ASSERT_TRUE(found);
    expect_near(found->point, {0.1, 0.005, 0.3}, 1e-5 * height);
    EXPECT_GE(found->point[1], 0.005 - 1e-12) << "not inside";
    expect_near(found->normal, {0, 1, 0}, 1e-12);
    EXPECT_NEAR(found->excess, height + 0.005, 1e-5 * height);
    EXPECT_EQ(found->thickness, 0.01);
  }
  EXPECT_FALSE(sweep(*plate, {3, 1, 0}, {3, -1, 0})) << "beside it";
  EXPECT_FALSE(sweep(*plate, {0, 1, 0}, {0, 0.5, 0})) << "not so far";
  EXPECT_FALSE(sweep(*plate, {0, 1, 0}, {0, 1, 0})) << "it stands";
}

// The vertex stands, and the plate comes; then both move alike and never meet.
TEST(VertexSweeps, AnObstacleThatMovesHitsToo) {
  MotionStep fall{MotionStep::Kind::translate, {0, -1, 0}, {}, {}};
  fall.amount.keyframes = {{0, 0}, {1, 4}};
  const Motion motion({fall});
  const auto found = sweep(*plate, {0, -2, 0}, {0, -2, 0}, motion);
  ASSERT_TRUE(found);
  expect_near(found->point, {0, -4.005, 0}, 1e-5);
  expect_near(found->normal, {0, -1, 0}, 1e-12);
  EXPECT_FALSE(sweep(*plate, {0, -0.1, 0}, {0, -4.1, 0}, motion));
  EXPECT_FALSE(sweep(*plate, {0, -2, 0}, {0, -2, 0}, motion, 1, 2)) << "it has passed";
}

TEST(VertexSweeps, OnlyWhatWouldComeOutOnAnotherSideIsStopped) {
  EXPECT_FALSE(sweep(*plate, {0, 1, 0}, {0, 0.001, 0})) << "it stops in the upper half";
  EXPECT_TRUE(sweep(*plate, {0, 1, 0}, {0, -0.002, 0})) << "it would be pushed out below";
  EXPECT_FALSE(sweep(*plate, {0, 0.003, 0}, {0, 1, 0})) << "it leaves on its own side";
  const auto inside = sweep(*plate, {0, 0.003, 0}, {0, -1, 0});
  ASSERT_TRUE(inside);
  expect_near(inside->point, {0, 0.003, 0}, 1e-12);
  expect_near(inside->normal, {0, 1, 0}, 1e-12);
}

// A vertex in shallow contact that slides far along a face: the distance tells next to nothing about how far it may
// go.
TEST(VertexSweeps, WhatSlidesAlongAFaceGoesOn) {
  for (const double depth : {1e-7, 1e-6, 6e-5, -1e-7, -1e-6, -6e-5})
    for (const double way : {0.02, 0.06, 0.5, 1.5}) {
      EXPECT_FALSE(sweep(*plate, {-0.8, 0.005 - depth, 0}, {-0.8 + way, 0.005 - depth, 0})) << depth << " " << way;
      EXPECT_FALSE(sweep(*plate, {-0.8, 0.005 + 1e-6, 0}, {-0.8 + way, 0.005 - std::abs(depth), 0})) << depth;
    }
  EXPECT_TRUE(sweep(*plate, {-0.8, 0.005 - 1e-6, 0}, {0.5, -0.004, 0})) << "a slide that ends on the other side";
}

// Through the rim of a ball: it enters on one side and leaves on another, with normals that differ by less than a
// right angle.
TEST(VertexSweeps, WhatOnlyGrazesGoesOn) {
  const auto ball = obstacle_of("sphere", {{"radius", 1}});
  EXPECT_FALSE(sweep(*ball, {-2, 0.95, 0}, {2, 0.95, 0}));
  const auto found = sweep(*ball, {-2, 0.1, 0}, {2, 0.1, 0});
  ASSERT_TRUE(found);
  expect_near(found->point, {-std::sqrt(1 - 0.01), 0.1, 0}, 1e-4);
}

// Whatever the motion, and with the mesh of the same box.
TEST(VertexSweeps, AMeshIsAsThickAsItsBox) {
  const TriangleMesh surface = plate->surface();
  Value::List vertices(surface.vertices.begin(), surface.vertices.end()),
      triangles(surface.triangles.begin(), surface.triangles.end());
  const auto mesh =
      obstacle_of("mesh", {{"mesh", Value::Object{{"vertices", vertices}, {"triangles", triangles}}}});
  EXPECT_NEAR(mesh->thickness(), 0.01, 0.01 * 0.01);
  setup::Random random(3);
  int through = 0;
  for (int i = 0; i < 200; ++i) {
    Vec3 from, to;
    for (std::size_t k = 0; k < 3; ++k) from[k] = random.uniform(-0.5, 0.5), to[k] = random.uniform(-0.5, 0.5);
    const auto by_box = sweep(*plate, from, to), by_mesh = sweep(*mesh, from, to);
    ASSERT_EQ(by_box.has_value(), by_mesh.has_value()) << i;
    if (!by_box) continue;
    ++through;
    expect_near(by_box->point, by_mesh->point, 1e-5);
    expect_near(by_box->normal, by_mesh->normal, 1e-9);
  }
  EXPECT_GT(through, 50);
}

TEST(VertexSweeps, ManyAtOnceAreThoseOfEachInTheirOrder) {
  setup::Random random(5);
  const auto ball = obstacle_of("capsule", {{"radius", 0.05}, {"length", 1}});
  std::vector<double> from, to;
  for (int i = 0; i < 3 * 101; ++i)
    from.push_back(random.uniform(-0.3, 0.3)), to.push_back(random.uniform(-0.3, 0.3));
  std::vector<SweepHit> all;
  sweep_vertices(*ball, {}, {0, 1, from, to}, all);
  std::size_t next = 0;
  for (int i = 0; i < 101; ++i) {
    const auto one =
        sweep(*ball, {from[3 * i], from[3 * i + 1], from[3 * i + 2]}, {to[3 * i], to[3 * i + 1], to[3 * i + 2]});
    if (!one) continue;
    ASSERT_LT(next, all.size());
    EXPECT_EQ(all[next].way, i);
    EXPECT_EQ(all[next].point, one->point);
    EXPECT_EQ(all[next].normal, one->normal);
    ++next;
  }
  EXPECT_EQ(next, all.size());
  EXPECT_GT(next, 10u);
}

TEST(VertexSweeps, NothingIsSaidOfHalfSpacesContainersAndNumbersThatAreNone) {
  EXPECT_FALSE(sweep(*obstacle_of("plane", {}), {0, 1, 0}, {0, -1, 0}));
  EXPECT_FALSE(sweep(*obstacle_of("box", {{"inside", true}}), {0, 0, 0}, {0, -5, 0}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(sweep(*plate, {0, nan, 0}, {0, -1, 0}));
  EXPECT_FALSE(sweep(*plate, {0, 1, 0}, {0, nan, 0}));
}

}  // namespace
}  // namespace resilin::test
