#include <gtest/gtest.h>

#include <cmath>

#include "resilin/registry.h"
#include "resilin/shapes.h"
#include "scene/format.h"
#include "scene/presets.h"
#include "scene/scene_text.h"
#include "scene/start_check.h"

namespace resilin::test {
namespace {

TEST(Scene, TopLevelFieldsAndDefaults) {
  const Scene plain = parse(scene_of(bar));
  EXPECT_EQ(plain.name, "test");
  EXPECT_EQ(plain.frames, 90);
  EXPECT_EQ(plain.formats, std::vector<std::string>{"vtu"});
  const Scene full =
      parse(scene_of(bar, R"("name": "n", "description": "d", "step": 0.01, "substeps": 4, "frames": 5, "up": "z",
    "output": {"every": 3, "formats": ["obj", "vtu"]}, "solver": {"type": "newton", "iterations": 7, "gradient_tolerance": 0.5},
    "integrator": "implicit_midpoint")"));
  EXPECT_EQ(full.name + full.description, "nd");
  EXPECT_EQ(full.output_every, 3);
  EXPECT_EQ(full.formats.size(), 2u);
  const auto simulation = build_simulation(full, 1);
  EXPECT_DOUBLE_EQ(simulation->options().step, 0.0025);
  EXPECT_EQ(simulation->options().stop.iterations, 7);
  EXPECT_EQ(simulation->options().stop.gradient, 0.5);
  EXPECT_EQ(simulation->threads(), 1);
}

TEST(Scene, GravityFollowsUp) {
  using V = std::array<double, 3>;
  EXPECT_EQ(model_of(scene_of(bar)).gravity, (V{0, -9.81, 0}));
  EXPECT_EQ(model_of(scene_of(bar, R"("up": "z")")).gravity, (V{0, 0, -9.81}));
  EXPECT_EQ(model_of(scene_of(bar, R"("up": "x", "gravity": 2)")).gravity, (V{-2, 0, 0}));
  EXPECT_EQ(model_of(scene_of(bar, R"("up": "x", "gravity": [1, 2, 3])")).gravity, (V{1, 2, 3}));
}

TEST(Scene, ScenesABAndCHaveTheirCounts) {
  State state;
  const Model a = build_model(load_scene("twisting_bar"), state);
  EXPECT_EQ(a.vertex_count(), 3472);
  EXPECT_EQ(a.element_count(), 12810);
  const Model b = build_model(load_scene("grid_bar"), state);
  EXPECT_EQ(b.vertex_count(), 32657);
  EXPECT_EQ(b.element_count(), 143360);
  const Model c = build_model(load_scene("hanging_cloth"), state);
  EXPECT_EQ(c.vertex_count(), 6561);
  EXPECT_EQ(c.element_count(), 38558);
  EXPECT_EQ(c.pins[0].vertices.size(), 2u);
  EXPECT_NEAR(c.total_mass(), 0.2, 1e-12);
}

TEST(Scene, TwistingBarTurnsThreeDegreesPerFrame) {
  const Scene scene = load_scene("twisting_bar");
  State state;
  const Model model = build_model(scene, state);
  ASSERT_EQ(model.pins.size(), 2u);
  EXPECT_EQ(model.pins[0].vertices.size(), 56u);
  EXPECT_FALSE(model.pins[0].motion.moves());
  double x[3], v[3];
  const double* start = &model.pins[1].start[0];
  model.pins[1].motion.at(10 * scene.step, start, x, v);
  const double angle = std::atan2(x[1], x[0]) - std::atan2(start[1], start[0]);
  EXPECT_NEAR(angle, 30 * 3.14159265358979 / 180, 1e-9);
}

TEST(Scene, EverySceneOfTheGalleryBuildsAndStepsFinite) {
  const auto scenes = gallery();
  EXPECT_GE(scenes.size(), 11u);
  for (const auto& [name, description] : scenes) {
    SCOPED_TRACE(name);
    EXPECT_GT(description.size(), 20u);
    const Scene scene = load_scene(name);
    EXPECT_EQ(scene.name, name);
    if (name == "grid_bar") continue;  // built above; its factor takes a while
    const auto simulation = build_simulation(scene, 1);
    for (int i = 0; i < 3; ++i) EXPECT_NE(simulation->step().status, Status::not_finite);
    EXPECT_TRUE(is_finite(simulation->state()));
  }
}

TEST(Scene, MissingFilesListTheGallery) {
  const InputError e = input_error([] { load_scene("twisting_bra"); });
  says(e, "twisting_bra");
  says(e, "did you mean \"twisting_bar\"?");
  says(e, "default");
  says(input_error([] { load_scene("no/such/scene.json"); }), "no/such/scene.json");
  says(input_error([] { load_scene("/"); }), "folder");
}

TEST(Scene, StarterRunsAsItIs) {
  const Scene scene = parse_scene(starter_scene("mine"), "mine.json");
  EXPECT_EQ(scene.name, "mine");
  const auto simulation = build_simulation(scene, 1);
  EXPECT_EQ(simulation->model().bodies.size(), 2u);
  for (int i = 0; i < 3; ++i) EXPECT_NE(simulation->step().status, Status::not_finite);
  says(input_error([] { starter_scene("../evil"); }), "../evil");
}

TEST(Scene, SchemaIsJsonAndKnowsEveryPlugin) {
  const std::string schema = scene_schema();
  const Value v = parse_json(schema, "schema");
  const Value& definitions = *v.find("$defs");
  for (const char* kind : {"shape", "material", "integrator", "solver", "obstacle"})
    for (const auto& entry : plugin_kind(kind).entries) {
      const Value* d = definitions.find(std::string(kind) + "_" + entry.name);
      ASSERT_NE(d, nullptr) << entry.name;
      for (const Param& p : entry.params->list())
        EXPECT_NE(d->find("properties")->find(p.name), nullptr) << entry.name << " " << p.name;
    }
  for (const ObjectType& type : object_types())
    EXPECT_TRUE(type.name == "scene" || definitions.find(type.name) != nullptr) << type.name;
  for (const MaterialPreset& p : material_presets()) EXPECT_NE(schema.find(p.source), std::string::npos);
}

TEST(Scene, EveryReferenceOfTheSchemaExists) {
  const std::string schema = scene_schema(), mark = "#/$defs/";
  const Value v = parse_json(schema, "schema");
  for (std::size_t at = schema.find(mark); at != std::string::npos; at = schema.find(mark, at + 1)) {
    const std::size_t from = at + mark.size();
    const std::string name = schema.substr(from, schema.find('"', from) - from);
    EXPECT_NE(v.find("$defs")->find(name), nullptr) << name;
  }
}

// Contact is on unless a scene says otherwise; what cannot take it goes without, and says so.
TEST(Contact, OnByDefault) {
  const auto built = [](const std::string& more, std::vector<std::string>* notes) {
    State ignored;
    return has_contact(build_model(parse(scene_of(bar, more)), ignored, notes));
  };
  std::vector<std::string> notes;
  EXPECT_TRUE(built("", &notes));
  EXPECT_TRUE(built(R"("contact": {"friction": 0.3})", &notes));
  EXPECT_FALSE(built(R"("contact": false)", &notes));
  EXPECT_TRUE(notes.empty());
  EXPECT_FALSE(built(R"("integrator": "symplectic_euler")", &notes));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("contact is off: "), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("explicit"), std::string::npos) << notes[0];
  EXPECT_NO_THROW(build_simulation(parse(scene_of(bar, R"("integrator": "symplectic_euler")")), 1));
  const InputError refused = scene_error(scene_of(bar, R"("integrator": "symplectic_euler", "contact": true)"));
  EXPECT_NE(refused.problem().find("cannot take"), std::string::npos);
}

TEST(Contact, ANetOfSpringsAloneHasNothingToTouchWith) {
  const std::string rope = R"("springs": {"vertices": [[0,0,0],[1,0,0],[2,0,0]], "edges": [[0,1],[1,2]]})";
  EXPECT_FALSE(has_contact(model_of(scene_of(rope))));
  EXPECT_TRUE(has_contact(model_of(R"({"bodies": [{"name": "a", )" + rope + R"(}, {"name": "b", )" + rope +
                                   R"(, "translate": [0, 1, 0]}]})")));
}

}  // namespace
}  // namespace resilin::test
