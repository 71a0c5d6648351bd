// What is doubtful in the way a scene starts is said with the body's name, and nothing is said where all is well.
#include <gtest/gtest.h>

#include "scene/scene_text.h"
#include "scene/start_check.h"

namespace resilin::test {
namespace {

std::vector<std::string> warnings_of(const Scene& scene) {
  State start;
  const Model model = build_model(scene, start);
  return start_warnings(scene, model, start.q, start.time);
}
std::vector<std::string> warnings_of(const std::string& text) { return warnings_of(parse(text)); }

/// The only warning, which names all of it.
void expect_warning(const std::string& text, const std::vector<std::string>& parts) {
  const auto found = warnings_of(text);
  ASSERT_EQ(found.size(), 1u) << text;
  for (const std::string& part : parts) EXPECT_NE(found[0].find(part), std::string::npos) << found[0];
}

const std::string ground = R"("obstacles": [{"type": "plane", "height": )";

TEST(StartCheck, TheGalleryStartsWell) {
  for (const auto& [name, description] : gallery()) {
    if (name == "random_start") continue;  // it does start in itself, and that is told
    EXPECT_EQ(warnings_of(load_scene(name)), std::vector<std::string>{}) << name;
  }
}

// The unknowns of a reduced simulation are no positions: they were once read as such, past their end.
TEST(StartCheck, AReducedSceneIsJudgedByItsVertices) {
  const Scene scene = load_scene("reduced_creature", {{"bodies[0].shape.spacing", "0.1"},
                                                      {"reduction.handles", "10"},
                                                      {"reduction.fit_handles", "10"},
                                                      {"reduction.samples", "50"}});
  const auto simulation = build_simulation(scene, 1);
  ASSERT_LT(simulation->state().q.size(), simulation->positions().size());
  EXPECT_EQ(start_warnings(scene, simulation->model(), simulation->positions(), simulation->state().time),
            std::vector<std::string>{});
}

TEST(StartCheck, BodiesBelowTheGround) {
  EXPECT_TRUE(warnings_of(scene_of(bar, ground + "-0.5}]")).empty()) << "it stands on the ground";
  expect_warning(scene_of(bar, ground + "-0.2}]"),
                 {"\"bar\" starts below the ground", "10 of its 20", "0.3 m", "[0, 0.3, 0]"});
  expect_warning(scene_of(bar, ground + "3}]"), {"20 of its 20", "[0, 3.5, 0]"});
  expect_warning(scene_of(bar, R"("up": "z", "obstacles": [{"type": "plane", "stiffness": 7}])"),
                 {"below the ground", "[0, 0, 0.5]"});
  expect_warning(scene_of(bar, R"("obstacles": [{"type": "plane", "normal": [1, 0, 0], "height": 1}])"),
                 {"inside of the obstacle \"plane\"", "[1, 0, 0]"});
}

TEST(StartCheck, BodiesInsideOfObstacles) {
  EXPECT_TRUE(warnings_of(scene_of(bar, R"("obstacles": [{"type": "sphere", "translate": [0, 1.1, 0]}])")).empty());
  expect_warning(scene_of(bar, R"("obstacles": [{"type": "sphere", "translate": [0, 0.6, 0.5]}])"),
                 {"inside of the obstacle \"sphere\"", "of its 20"});
  EXPECT_TRUE(
      warnings_of(scene_of(bar, R"("obstacles": [{"type": "sphere", "radius": 9, "inside": true}])")).empty());
  expect_warning(scene_of(bar, R"("obstacles": [{"type": "box", "size": [7, 3, 3], "inside": true}])"),
                 {"inside of the obstacle \"box\"", "4 of its 20", "0.5 m"});
  expect_warning(
      scene_of(bar, R"("obstacles": [{"type": "height_field", "size": [9, 9], "translate": [0, -0.3, 0]}])"),
      {"inside of the obstacle \"height_field\""});
}

const std::string sheet = R"({"bodies": [{"name": "cloth", "shell": {"type": "grid", "cells": [3, 3]})";

TEST(StartCheck, ShellsBelowTheGroundAndThroughOtherBodies) {
  EXPECT_TRUE(warnings_of(sheet + R"(, "translate": [0, 1, 0]}], )" + ground + "0}]}").empty());
  expect_warning(sheet + "}], " + ground + "0}]}", {"\"cloth\" starts below the ground", "9 of its 18", "0.5 m"});
  const std::string other = R"(}, {"name": "other", "shell": {"type": "grid", "cells": [3, 3]}, "rotate": )";
  expect_warning(sheet + other + R"({"axis": "x", "degrees": 90}, "translate": [0.1, 0.1, 0]}]})",
                 {"\"cloth\" and \"other\" overlap"});
  EXPECT_TRUE(warnings_of(sheet + other + R"({"axis": "x", "degrees": 90}, "translate": [0, 0.6, 0]}]})").empty());
}

TEST(StartCheck, GravityThatPointsUp) {
  EXPECT_TRUE(warnings_of(scene_of(bar, R"("gravity": 9.81)")).empty());
  EXPECT_TRUE(warnings_of(scene_of(bar, R"("gravity": 0)")).empty());
  EXPECT_TRUE(warnings_of(scene_of(bar, R"("gravity": [3, -9.81, 0])")).empty());
  expect_warning(scene_of(bar, R"("gravity": -9.81)"), {"points up (y is up)", "\"gravity\": 9.81"});
  expect_warning(scene_of(bar, R"("up": "z", "gravity": [0, 0, 9.81])"), {"points up (z is up)"});
}

TEST(StartCheck, BodiesThatOverlap) {
  const auto two = [](const char* offset) {
    return R"({"bodies": [{"name": "one", )" + unit_tet + R"(}, {"name": "two", )" + unit_tet +
           R"(, "translate": )" + offset + "}]}";
  };
  EXPECT_TRUE(warnings_of(two("[1, 0, 0]")).empty());
  EXPECT_TRUE(warnings_of(two("[0.6, 0.6, 0]")).empty()) << "their boxes overlap, they do not";
  expect_warning(two("[0.2, 0, 0]"), {"\"one\" and \"two\" overlap", "translate"});
  expect_warning(two("[0, 0, 0]"), {"overlap"});
  expect_warning(two("[0.1, 0.1, 0.1]"), {"\"one\" and \"two\" overlap: ", "crossings of edges and triangles",
                                          "m deep", "led apart along"});
  std::string without = two("[0.1, 0.1, 0.1]");
  without.insert(1, R"("contact": false, )");
  expect_warning(without, {"overlap", "Nothing keeps bodies apart"});
}

TEST(StartCheck, ABodyThatPassesThroughItself) {
  const std::string crossed = R"({"bodies": [{"name": "both", "mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],
    [0.1,0.1,0.1],[1.1,0.1,0.1],[0.1,1.1,0.1],[0.1,0.1,1.1]], "tets": [[0,1,2,3],[4,5,6,7]]}}])";
  expect_warning(crossed + "}", {"\"both\" passes through itself", "crossings of edges"});
  EXPECT_TRUE(warnings_of(crossed + R"(, "contact": false})").empty());
}

}  // namespace
}  // namespace resilin::test
