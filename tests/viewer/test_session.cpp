#include <gtest/gtest.h>

#include <cmath>

#include "watcher.h"

namespace resilin::viewer {
namespace {

class SessionTest : public testing::Test {
 protected:
  std::string scene() { return folder.write("bar.json", small_scene()); }
  Folder folder;
};

// The end of a run of the same scene without a viewer, with edits replayed.
std::string headless_hash(const std::string& scene, const std::string& edits, int steps) {
  const auto simulation = build_simulation(load_scene(scene), 1);
  const std::vector<EditRecord> planned = read_edits(edits, "edits");
  std::size_t next = 0;
  for (int i = 0; i < steps; ++i) {
    for (; next < planned.size() && planned[next].step == i; ++next) simulation->post(planned[next].edit);
    simulation->step();
  }
  char out[17];
  std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(hash(simulation->state())));
  return out;
}

TEST_F(SessionTest, ShowsAndSteps) {
  Watcher w(scene());
  w.ready();
  EXPECT_EQ(w.scene.find("name")->text(), "bar");
  EXPECT_EQ(w.scene.find("mode")->text(), "simulation");
  EXPECT_EQ(w.scene.find("bodies")->list()[0].find("material")->text(), "neo_hookean");
  EXPECT_EQ(w.scene.find("pins")->list().size(), 9u);
  EXPECT_EQ(w.triangles, 2u * 2 * (3 * 2 + 3 * 2 + 2 * 2));
  EXPECT_EQ(w.step(), 0);
  EXPECT_FALSE(w.playing());
  w.step(3);
  EXPECT_EQ(w.frames.back().step, 3u);
  EXPECT_EQ(w.view().find("iterations")->number(), 5);
  EXPECT_TRUE(w.view().find("words")->text().starts_with("5 iterations, error ")) << w.view().dump();
  EXPECT_GT(w.view().find("kinetic")->number(), 0);
  w.good(Speed{0}), w.good(Play{});
  EXPECT_TRUE(w.until([&] { return w.step() > 10; }));
  w.see(Pause{});
  const double there = w.step();
  w.see(Colour{"stress"});
  EXPECT_EQ(w.step(), there);
  // Nobody watches: nothing moves.
  w.session().set_audience(0);
  w.good(Play{});
  w.see(Colour{"speed"});
  EXPECT_EQ(w.step(), there);
}

TEST_F(SessionTest, EditsAreAnsweredAndReplayToTheSameState) {
  Watcher w(scene());
  w.ready();
  w.step(2);
  // While it stands still an edit is seen at once.
  const Value answer =
      w.ask(EditRequest{Drag{.name = "hand", .vertices = {3}, .target = {1, 1, 0}, .stiffness = 1e4}, {}});
  EXPECT_TRUE(answer.find("ok")->boolean());
  EXPECT_EQ(answer.find("step")->number(), 2);
  w.good(EditRequest{SetParameter{"bodies[0].material.young", 2e5}, {}});
  w.good(EditRequest{PinVertices{{5}, {}}, {}});
  EXPECT_TRUE(w.until([&] { return w.frames.back().edits == 3; }));
  EXPECT_EQ(w.frames.back().step, 2u);
  EXPECT_TRUE(w.until([&] { return w.scene.find("pins")->list().size() == 10; }));
  EXPECT_NE(w.scene.find("text")->text().find("200000"), std::string::npos);
  EXPECT_NE(w.refusal_of(EditRequest{SetParameter{"bodies[0].material.young", -1}, {}}).find("young"),
            std::string::npos);
  EXPECT_NE(w.refusal_of(EditRequest{Release{"nobody"}, {}}), "");
  EXPECT_NE(w.refusal_of(EditRequest{Reset{}, 3}), "");
  w.step(5);
  w.good(EditRequest{Release{"hand"}, {}});
  w.good(EditRequest{SetParameter{"solver", Value(Value::Object{{"type", "newton"}})}, {}});
  w.step(4);
  EXPECT_EQ(w.hash(), headless_hash(scene(), w.exported("edits.jsonl"), 11));
  EXPECT_EQ(w.exported("state.npz").substr(0, 2), "PK");
  const Value tuned = parse_json(w.exported("scene.json"), "scene.json");
  EXPECT_EQ(tuned.find("solver")->find("type")->text(), "newton");
}

// A patch of a reduced body by its weights, as the page holds it; with both ways in which hands act.
TEST_F(SessionTest, AReducedBodyFollowsTheHandAndReplays) {
  for (const char* interaction : {"energy", "target"}) {
    Value reduced = parse_json(small_scene(), "bar");
    reduced.set("reduction",
                Value::Object{{"handles", 8}, {"fit_handles", 6}, {"samples", 40}, {"interaction", interaction}});
    const std::string file = folder.write("reduced.json", reduced.dump());
    Watcher w(file);
    w.ready();
    w.step(2);
    std::vector<std::size_t> end;  // of the drawn vertices
    for (std::size_t i = 0; i < w.frames.back().positions.size(); i += 3)
      if (w.frames.back().positions[i] > 0.45) end.push_back(i);
    ASSERT_EQ(end.size(), 9u);
    const auto height = [&] {
      double sum = 0;
      for (const std::size_t i : end) sum += w.frames.back().positions[i + 1] / 9.0;
      return sum;
    };
    const auto model = build_simulation(load_scene(file), 1);
    Drag drag{.name = "pointer", .stiffness = 2e4};
    for (int v = 0; v < model->model().vertex_count(); ++v)
      if (model->model().rest[3 * static_cast<std::size_t>(v)] > 0.49) drag.vertices.push_back(v);
    ASSERT_EQ(drag.vertices.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) drag.weights.push_back((1 + static_cast<double>(i)) / 45);
    const double before = height();
    for (int i = 0; i < 12; ++i) {
      drag.target = {0.5, 0.03 * i, 0};
      w.good(EditRequest{drag, {}});
      drag.vertices.clear(), drag.weights.clear();  // from now on by its name
      w.step(1);
    }
    w.step(10);
    EXPECT_GT(height(), before + 0.15) << interaction;
    w.good(EditRequest{Release{"pointer"}, {}});
    w.step(5);
    EXPECT_EQ(w.hash(), headless_hash(file, w.exported("edits.jsonl"), 29)) << interaction;
  }
}

TEST_F(SessionTest, WhatIsShownChangesNothing) {
  Watcher w(scene());
  w.ready();
  w.good(WatchConvergence{true});
  for (const std::string& by : colour_names()) {
    w.good(Colour{by});
    w.step(1);
    EXPECT_EQ(w.frames.back().colours.size(), by == "none" ? 0u : w.frames.back().count) << by;
    for (const float value : w.frames.back().colours) EXPECT_TRUE(std::isfinite(value)) << by;
    EXPECT_EQ(w.status.find("colour")->find("by")->text(), by);
    // It stands still: the legend is that of this very frame.
    std::vector<float> sorted = w.frames.back().colours;
    std::sort(sorted.begin(), sorted.end());
    if (by == "speed") {
      EXPECT_EQ(w.status.find("colour")->find("high")->number(), sorted[(sorted.size() - 1) * 98 / 100]);
    }
  }
  EXPECT_EQ(w.hash(), headless_hash(scene(), "", static_cast<int>(colour_names().size())));
  ASSERT_EQ(w.convergence.size(), colour_names().size());
  const Value::List& rows = w.convergence.back().find("iterations")->list();
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0].list()[2].number(), 1);
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_LE(rows[i].list()[2].number(), rows[i - 1].list()[2].number());
  EXPECT_LT(rows.back().list()[2].number(), 0.5);
}

TEST_F(SessionTest, ComparesFromTheSameState) {
  Watcher w(scene());
  w.ready();
  w.step(2);
  w.good(EditRequest{Kick{"", {0, 1, 0}}, {}});
  w.step(1);
  const std::string before = w.hash();
  w.good(
      Compare{{{"same", {}}, {"newton", {{"solver", Value(Value::Object{{"type", "newton"}})}}}, {"again", {}}}});
  EXPECT_TRUE(w.until([&] { return w.status.find("views")->list().size() == 3; }));
  EXPECT_EQ(w.scene.find("views")->list()[1].text(), "newton");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(w.hash(i), before) << i;
  w.good(EditRequest{Drag{.name = "hand", .vertices = {3}, .target = {1, 1, 0}}, {}});
  w.step(3);
  EXPECT_EQ(w.hash(0), w.hash(2));
  EXPECT_NE(w.hash(0), w.hash(1));
  EXPECT_EQ(w.hash(0), headless_hash(scene(), w.exported("edits.jsonl"), 6));
  EXPECT_NE(w.refusal_of(Compare{{{"bad", {{"solver.type", Value("nonsense")}}}}}).find("nonsense"),
            std::string::npos);
  EXPECT_EQ(w.status.find("views")->list().size(), 3u);
  w.good(EditRequest{Kick{"", {1, 0, 0}}, 1});
  w.step(1);
  EXPECT_EQ(w.hash(0), w.hash(2));
  const std::string first = w.hash(0);
  w.good(Compare{});
  EXPECT_TRUE(w.until([&] { return w.status.find("views")->list().size() == 1; }));
  EXPECT_EQ(w.hash(0), first);
}

TEST_F(SessionTest, SliceCutsSolids) {
  Watcher w(scene());
  w.ready();
  const std::uint32_t whole = w.serial;
  w.good(Slice{{{1, 0, 0, -0.2}}});
  EXPECT_TRUE(w.until([&] { return w.serial != whole && w.frames.back().serial == w.serial; }));
  EXPECT_LT(w.triangles, 64u);
  EXPECT_GT(w.triangles, 0u);
  const ReadFrame& frame = w.frames.back();
  for (std::size_t i = 0; i < frame.positions.size(); i += 3) EXPECT_LT(frame.positions[i], 0.01);
  w.good(Slice{});
  EXPECT_TRUE(w.until([&] { return w.triangles == 64; }));
}

TEST_F(SessionTest, OpensAnotherSceneAndKeepsTheOldOneIfThatFails) {
  Watcher w(scene());
  w.ready();
  EXPECT_NE(w.refusal_of(Open{folder.path() + "/none.json", {}}).find("none.json"), std::string::npos);
  w.step(1);
  w.good(Open{scene(), {{"name", Value("other")}, {"solver.iterations", 2}}});
  EXPECT_TRUE(w.until([&] { return w.scene.find("name")->text() == "other" && w.step() == 0; }));
  w.step(1);
  EXPECT_EQ(w.view().find("iterations")->number(), 2);
}

TEST_F(SessionTest, CurvesAreSampledOrRefused) {
  Watcher w(scene());
  w.ready();
  const auto curve = [&](const std::string& kind, const std::string& text) {
    return w.ask(SampleCurve{kind, parse_json(text, "curve")});
  };
  const Value spline = curve("material", R"({"type": "spline", "stress": [[0.5, -100], [1, 0], [1.5, 300]]})");
  ASSERT_TRUE(spline.find("ok")->boolean()) << spline.dump();
  const Value::List& samples = spline.find("samples")->list();
  EXPECT_NEAR(samples[48].list()[0].number(), 1, 1e-12);
  EXPECT_NEAR(samples[48].list()[1].number(), 0, 1e-9);
  EXPECT_GT(samples.back().list()[1].number(), 300);
  const Value damping = curve("damping", R"({"type": "strain_rate", "spline": [[0.8, 4], [1.2, 0]]})");
  ASSERT_TRUE(damping.find("ok")->boolean()) << damping.dump();
  EXPECT_EQ(damping.find("samples")->list().front().list()[1].number(), 4);
  EXPECT_EQ(damping.find("samples")->list().back().list()[1].number(), 0);
  for (const auto& [kind, text] : std::vector<std::pair<std::string, std::string>>{
           {"material", R"({"type": "spline", "stress": [[1, 0], [0.5, -100]]})"},
           {"material", R"({"type": "spline", "stress": [[0.5, 1], [1.5, 2]]})"},
           {"material", R"({"type": "gold"})"},
           {"damping", R"({"type": "strain_rate", "spline": [[0.8, -4], [1.2, 0]]})"},
           {"damping", "[]"}})
    EXPECT_FALSE(curve(kind, text).find("ok")->boolean()) << text;
}

TEST_F(SessionTest, ObstaclesAreToldWhereTheyHaveMoved) {
  Value moving = parse_json(small_scene(), "bar");
  moving.set(
      "obstacles",
      parse_json(R"([{"type": "plane", "height": -9}, {"type": "sphere", "radius": 0.1, "translate": [0, -2, 0]},
    {"type": "sphere", "radius": 0.1, "translate": [0, 2, 0],
     "motion": [{"translate": {"direction": [0, 1, 0], "keyframes": [[0, 0], [1, 1]]}}]}])",
                 "bar"));
  Watcher w(folder.write("moving.json", moving.dump()));
  w.ready();
  ASSERT_EQ(w.scene.find("obstacles")->list().size(), 2u);
  EXPECT_EQ(w.scene.find("ground")->number(), -9);
  EXPECT_EQ(w.status.find("obstacles"), nullptr);
  w.step(2);
  ASSERT_NE(w.status.find("obstacles"), nullptr);
  const Value::List& moved = w.status.find("obstacles")->list();
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0].find("obstacle")->number(), 1);
  const double before = w.scene.find("obstacles")->list()[1].find("vertices")->list()[1].number();
  EXPECT_NEAR(moved[0].find("vertices")->list()[1].number() - before, 0.04, 1e-9);
}

TEST_F(SessionTest, AStepThatIsNotFinitePauses) {
  const std::string wild =
      folder.write("wild.json", R"({"name": "wild", "step": 1e3, "integrator": "forward_euler", "contact": false,
    "bodies": [{"shape": {"type": "box", "size": [1, 1, 1], "cells": [1, 1, 1]}, "material": {"type": "neo_hookean", "young": 1e12},
    "initial": {"velocity": [1e150, 0, 0], "spin": {"axis": "x", "revolutions": 1e30}}}]})");
  Watcher w(wild);
  w.ready();
  w.good(Speed{0}), w.good(Play{});
  EXPECT_TRUE(w.until([&] { return w.error.find("not finite") != std::string::npos; }));
  EXPECT_TRUE(w.until([&] { return !w.playing(); }));
}

}  // namespace
}  // namespace resilin::viewer
