// Obstacles as scenes say them: where they stand, how they move, which files they are read from, and how they are
// edited while it runs.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "contact/obstacles/obstacle_potential.h"
#include "geometry/vec3.h"
#include "resilin/builder.h"
#include "scene/obstacles.h"
#include "scene/scene_text.h"

namespace resilin::test {
namespace {

const ObstaclePotential& only_obstacle(const Model& model) {
  const auto* found = dynamic_cast<const ObstaclePotential*>(model.terms.back().elastic[0].get());
  EXPECT_NE(found, nullptr);
  return *found;
}

double distance(const ObstaclePotential& of, double time, const Vec3& x) {
  return of.obstacle()->distance(pose_at(of.motion(), time).own(x.data()));
}

Model with(const std::string& obstacle, const std::string& more = "") {
  return model_of(scene_of(unit_tet, more + R"("obstacles": [)" + obstacle + "]"));
}

TEST(SceneObstacles, StandWhereTheyArePut) {
  const Model model = with(R"({"type": "capsule", "radius": 0.5, "length": 2,
                               "rotate": {"axis": "y", "degrees": 90}, "translate": [0, 3, 0]})");
  const ObstaclePotential& rod = only_obstacle(model);
  EXPECT_NEAR(distance(rod, 0, {1, 3, 0}), -0.5, 1e-14);
  EXPECT_NEAR(distance(rod, 0, {0, 3, 1}), 0.5, 1e-14);
  EXPECT_FALSE(rod.moves());
}

TEST(SceneObstacles, MoveAsPinsDo) {
  const Model model = with(R"({"type": "sphere", "translate": [1, 0, 0],
      "motion": [{"translate": {"direction": [0, 1, 0], "keyframes": [[0, 0], [2, 4]]}},
                 {"rotate": {"axis": "z", "speed_degrees": 90, "center": [0, 0, 0]}}]})");
  const ObstaclePotential& ball = only_obstacle(model);
  EXPECT_TRUE(ball.moves());
  EXPECT_NEAR(distance(ball, 1, {-2, 1, 0}), -0.5, 1e-12);  // (1, 2) turned by a quarter
  const double at[3] = {-2, 1, 0};
  const Vec3 by = moved(ball.motion(), at, 1, 1.001);
  EXPECT_NEAR(by[0], 1e-3 * (-2 - std::acos(-1.0) / 2), 1e-5);
}

// Turns without a center are about the obstacle itself, wherever it was put.
TEST(SceneObstacles, TurnAboutThemselves) {
  const Model model = with(R"({"type": "box", "size": [4, 1, 1], "translate": [5, 0, 0],
                               "motion": {"rotate": {"axis": "z", "speed_degrees": 90}}})");
  EXPECT_NEAR(distance(only_obstacle(model), 1, {5, 1.5, 0}), -0.5, 1e-12);
}

TEST(SceneObstacles, TerrainPointsUpAsTheSceneDoes) {
  const Model model = with(R"({"type": "height_field", "heights": [[1, 1], [1, 1]]})", R"("up": "z", )");
  EXPECT_NEAR(distance(only_obstacle(model), 0, {0.1, 0.2, 1.5}), 0.5, 1e-12);
}

TEST(SceneObstacles, BadOnesAreNamedByTheirKeys) {
  const auto refused = [](const std::string& obstacle, const std::vector<const char*>& parts) {
    const InputError error = scene_error(scene_of(unit_tet, R"("obstacles": [)" + obstacle + "]"));
    for (const char* part : parts) says(error, part);
  };
  refused(R"({"type": "sphere", "radius": 0})", {"obstacles[0].radius", "> 0"});
  refused(R"({"type": "plane", "stiffness": -3})", {"obstacles[0].stiffness", "> 0"});
  refused(R"({"type": "torus", "radius": 0.1})", {"obstacles[0]", "thinner"});
  refused(R"({"type": "box", "size": [1, -1, 1]})", {"obstacles[0].size", "> 0"});
  refused(R"({"type": "plane", "normal": [0, 0, 0]})", {"obstacles[0].normal"});
  refused(R"({"type": "sphere", "motions": []})", {"obstacles[0]", "motions"});
  refused(R"({"type": "sphere", "motion": {"translate": {"direction": [1, 0, 0], "keyframes": [[1, 0], [0, 1]]}}})",
          {"obstacles[0].motion.translate.keyframes", "ascend"});
  refused(R"({"type": "mesh"})", {"obstacles[0]", "mesh"});
  refused(R"({"type": "mesh", "mesh": "none.obj"})", {"obstacles[0].mesh", "none.obj"});
  refused(R"({"type": "mesh", "mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}})",
          {"obstacles[0].mesh", "open_boundary", "--repair"});
  refused(R"({"type": "height_field", "heights": [[1, 2], [3]]})", {"obstacles[0].heights[1]"});
}

TEST(SceneObstacles, NumbersThatAreNotFiniteAreRefusedInCpp) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Builder builder;
  MotionStep step{MotionStep::Kind::translate, {1, 0, 0}, {}, {}};
  step.amount.keyframes = {{0, 0}, {1, nan}};
  says(input_error([&] { builder.obstacle("sphere", Motion({step})); }), "obstacle 1: motion");
  step.amount.keyframes.clear(), step.direction = {nan, 0, 0};
  says(input_error([&] { builder.obstacle("sphere", Motion({step})); }), "obstacle 1: motion");
  says(input_error([&] { builder.obstacle({"sphere", {{"radius", nan}}}); }), "radius");
}

TEST(SceneObstacles, FilesAreRead) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "hill.pgm") << "P2 2 2 100\n50 50\n50 50\n";
  std::ofstream(folder + "tet.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const auto scene = [&](const std::string& obstacle) {
    return parse_scene(scene_of(unit_tet, R"("obstacles": [)" + obstacle + "]"), folder + "scene.json");
  };
  State ignored;
  const Scene hill = scene(R"({"type": "height_field", "heights": "hill.pgm", "height": 3})");
  const Model terrain = build_model(hill, ignored);
  EXPECT_NEAR(distance(only_obstacle(terrain), 0, {0, 2, 0}), 0.5, 1e-12);
  EXPECT_EQ(obstacle_files(hill).size(), 1u);
  const Model tet = build_model(scene(R"({"type": "mesh", "mesh": "tet.obj", "scale": 2})"), ignored);
  EXPECT_NEAR(distance(only_obstacle(tet), 0, {0.1, 0.1, 0.1}), -0.1, 1e-12);
}

TEST(SceneObstacles, AreDrawnWhereTheyAre) {
  const Scene scene = parse(scene_of(unit_tet, R"("obstacles": ["plane", {"type": "box", "translate": [0, 5, 0],
      "motion": {"translate": {"direction": [1, 0, 0], "speed": 2}}}])"));
  const auto drawn = DrawnObstacles(scene).at(3);
  ASSERT_EQ(drawn.size(), 1u) << "the plane has no end";
  const Bounds box = bounds(drawn[0].vertices);
  EXPECT_NEAR(box.lower[0], 5.5, 1e-12);
  EXPECT_NEAR(box.upper[1], 5.5, 1e-12);
  EXPECT_EQ(DrawnObstacles(scene).ground({0, 1, 0}, 3), 0.0);
  EXPECT_EQ(DrawnObstacles(scene).ground({1, 0, 0}, 3), std::nullopt);
}

TEST(SceneObstacles, TheGroundIsDrawnWhereItIs) {
  const Scene rising =
      parse(scene_of(unit_tet, R"("obstacles": [{"type": "plane", "height": 1, "translate": [5, 2, 0],
      "motion": {"translate": {"direction": [0, 1, 0], "speed": 2}}}])"));
  EXPECT_NEAR(DrawnObstacles(rising).ground({0, 1, 0}, 3).value(), 9, 1e-12);
  const Scene tilted =
      parse(scene_of(unit_tet, R"("obstacles": [{"type": "plane", "rotate": {"axis": "z", "degrees": 30}}])"));
  EXPECT_EQ(DrawnObstacles(tilted).ground({0, 1, 0}, 0), std::nullopt);
}

// ---- edits
// -----------------------------------------------------------------------------------------------------------

const std::string standing =
    scene_of(R"("shape": {"type": "box", "size": [1, 0.2, 0.2], "cells": [5, 1, 1]})",
             R"("step": 0.02, "obstacles": [{"type": "box", "size": [3, 1, 3], "translate": [0, -0.6, 0]}])");

void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_NE(simulation.step().status, Status::not_finite);
}

// Moved, replaced and removed while it runs: recorded, and the same bits when it is run again with the record.
TEST(SceneObstacles, EditsMoveReplaceAndRemoveThem) {
  const auto edited = build_simulation(parse(standing), 1);
  const auto post = [&](const std::string& path, const std::string& json) {
    edited->post(SetParameter{path, parse_json(json, "test")});
  };
  run(*edited, 10);
  const double low = edited->positions()[1];
  post("obstacles[0].translate", "[0, -0.5, 0]");
  run(*edited, 20);
  EXPECT_GT(edited->positions()[1], low + 0.05) << "it was lifted";
  post("obstacles[0]", R"({"type": "sphere", "radius": 2, "translate": [0, -2.1, 0]})");
  run(*edited, 5);
  post("obstacles[0].radius", "0");
  EXPECT_NE(edited->step().edits.at(0).refused.find("radius"), std::string::npos);
  post("obstacles", "[]");
  run(*edited, 30);
  EXPECT_LT(edited->positions()[1], low - 0.5) << "it falls";

  const auto again = build_simulation(parse(standing), 1);
  std::size_t next = 0;
  const auto& log = edited->edits();
  while (again->state().step < edited->state().step) {
    for (; next < log.size() && log[next].step == again->state().step; ++next)
      if (log[next].refused.empty()) again->post(log[next].edit);
    run(*again, 1);
  }
  EXPECT_EQ(again->positions(), edited->positions());
}

// A floor that rises carries the body; no factorisation is needed for it.
TEST(SceneObstacles, AMovingObstacleCarriesABody) {
  const auto simulation = build_simulation(
      parse(scene_of(R"("shape": {"type": "box", "size": [1, 0.2, 0.2], "cells": [5, 1, 1]})",
                     R"("step": 0.02, "obstacles": [{"type": "box", "size": [3, 1, 3], "translate": [0, -0.6, 0],
                         "motion": {"translate": {"direction": [0, 1, 0], "speed": 0.5}}}])")),
      1);
  int factorisations = 0;
  for (int i = 0; i < 100; ++i) factorisations += simulation->step().solve.factorisations;
  EXPECT_NEAR(simulation->positions()[1], 1 - 0.1, 0.02);
  EXPECT_EQ(factorisations, 1);
}

}  // namespace
}  // namespace resilin::test
