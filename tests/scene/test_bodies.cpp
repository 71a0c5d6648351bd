// Bodies, materials, selections, motions and first states of scenes.
#include <gtest/gtest.h>

#include <numbers>

#include "scene/scene_text.h"

namespace resilin::test {
namespace {

// Stiffness of element e in the constant Hessian of a solid term.
double stiffness(const Term& term, int e) {
  double q[9];
  term.elastic[0]->quadratic(e, 1, q);
  return q[0];
}

const Term* term_of(const Model& model, const std::string& name) {
  for (const Term& t : model.terms)
    if (t.name == name) return &t;
  return nullptr;
}

// ---- bodies ----

TEST(Body, ScaleRotateTranslateInThisOrder) {
  const Model m = model_of(scene_of(
      unit_tet + R"(, "scale": [2, 1, 1], "rotate": [{"axis": "z", "degrees": 90}, {"axis": "x", "degrees": 90}],
    "translate": [10, 0, 0])"));
  EXPECT_NEAR(m.rest[3], 10, 1e-12);  // (1,0,0) -> (2,0,0) -> (0,2,0) -> (0,0,2)
  EXPECT_NEAR(m.rest[5], 2, 1e-12);
  EXPECT_NEAR(m.total_mass(), 1000 * 2 / 6.0, 1e-9);
  EXPECT_EQ(model_of(scene_of(unit_tet + R"(, "scale": -1)")).terms[0].elements.measure(0),
            1 / 6.0);  // mirrored, not inverted
}

TEST(Body, DensityOfBodyPresetAndRegion) {
  EXPECT_NEAR(model_of(scene_of(unit_tet + R"(, "density": 6)")).total_mass(), 1, 1e-12);
  EXPECT_NEAR(model_of(scene_of(unit_tet + R"(, "material": "rubber")")).total_mass(), 925 / 6.0, 1e-9);
  EXPECT_NEAR(model_of(scene_of(unit_tet + R"(, "material": "rubber", "density": 6)")).total_mass(), 1, 1e-12);
  const Model m = model_of(
      scene_of(bar + R"(, "density": 1, "regions": [{"select": {"box": [[0,-1,-1],[2,1,1]]}, "density": 3}])"));
  EXPECT_NEAR(m.total_mass(), 2 * 3 + 2 * 1, 1e-12);
}

TEST(Body, RegionsChangeTheCoefficientsOfTheirTetsOnly) {
  const Model m = model_of(scene_of(bar + R"(, "material": {"type": "corotated", "young": 1e5, "poisson": 0.3},
    "regions": [{"select": {"plane": {"point": [2,0,0], "normal": [1,0,0]}}, "material": {"young": 1e6}}])"));
  ASSERT_EQ(m.terms.size(), 1u);  // one term, a field of coefficients
  int stiff = 0;
  for (int e = 0; e < 20; ++e) {
    double x = 0;
    for (const int v : m.terms[0].elements.vertices(e)) x += m.rest[3 * v] / 4;
    EXPECT_NEAR(stiffness(m.terms[0], e) / stiffness(m.terms[0], 0), x > 2 ? 10 : 1, 1e-9);
    stiff += x > 2;
  }
  EXPECT_EQ(stiff, 10);
}

TEST(Body, RegionsOfAnotherTypeAreAnotherTerm) {
  const Model m = model_of(scene_of(bar + R"(, "material": "rubber",
    "regions": [{"select": {"plane": {"point": [3,0,0], "normal": [1,0,0]}}, "material": {"type": "arap", "stiffness": 7}}])"));
  ASSERT_EQ(m.terms.size(), 2u);
  EXPECT_EQ(term_of(m, "neo_hookean")->elements.size(), 15);
  EXPECT_EQ(term_of(m, "arap")->elements.size(), 5);
  EXPECT_NEAR(stiffness(*term_of(m, "arap"), 0), 7, 1e-9);
}

TEST(Body, ARegionsLameConstantsReplaceYoungAndPoisson) {
  const Model m = model_of(scene_of(bar + R"(, "material": {"type": "corotated", "young": 1e5},
    "regions": [{"select": {"all": true}, "material": {"mu": 1, "lambda": 2}}])"));
  const Model same = model_of(scene_of(bar + R"(, "material": {"type": "corotated", "mu": 1, "lambda": 2})"));
  EXPECT_DOUBLE_EQ(stiffness(m.terms[0], 3), stiffness(same.terms[0], 3));
}

TEST(Body, PresetsAndWhatDiffersFromThem) {
  const auto k = [](const std::string& material) {
    return stiffness(model_of(scene_of(bar + ", \"material\": " + material)).terms[0], 0);
  };
  EXPECT_DOUBLE_EQ(k("\"rubber\""), k(R"({"type": "neo_hookean", "young": 2e6, "poisson": 0.47})"));
  EXPECT_NEAR(k(R"({"like": "rubber", "young": 1e6})"), k("\"rubber\"") / 2, 1e-6);
  for (const char* name : {"\"gel\"", "\"foam\"", "\"muscle\""}) EXPECT_GT(k(name), 0);
}

TEST(Body, ListsOfParametersAreOnePerTet) {
  std::string young;
  for (int i = 1; i <= 20; ++i) young += (i > 1 ? "," : "") + std::to_string(i);
  const Model m = model_of(scene_of(bar + R"(, "material": {"type": "corotated", "young": [)" + young + "]}"));
  EXPECT_NEAR(stiffness(m.terms[0], 19) / stiffness(m.terms[0], 0), 20, 1e-9);
}

TEST(Body, BodiesOfOneTypeShareATerm) {
  const Model m = model_of(R"({"bodies": [{)" + bar + R"(, "material": "rubber"}, {)" + unit_tet +
                           R"(, "material": {"type": "neo_hookean", "young": 5}},
    {)" + unit_tet + R"(, "fibre": {"direction": [0, 2, 0], "stiffness": 3}}, {"cloth": {"cells": [2, 2]}}]})");
  ASSERT_EQ(m.terms.size(), 3u);
  EXPECT_EQ(term_of(m, "neo_hookean")->elements.size(), 21);
  EXPECT_EQ(term_of(m, "springs")->elements.size(), 12 + 8 + 6);
  const Term* fibres = term_of(m, "neo_hookean with fibres");
  ASSERT_NE(fibres, nullptr);
  double q[9];
  fibres->elastic[1]->quadratic(0, 1, q);
  EXPECT_EQ(q[4], 3);
  EXPECT_EQ(m.bodies[1].name, "body2");
  EXPECT_EQ(m.bodies[1].tets[0], 20);
}

TEST(Body, ClothHasItsMassWhateverItsScale) {
  EXPECT_NEAR(
      model_of(
          scene_of(
              R"("cloth": {"size": [2, 3], "cells": [3, 4], "density": 0.5}, "rotate": {"axis": [1,1,0], "degrees": 50})"))
          .total_mass(),
      3, 1e-12);
  const Model m =
      model_of(scene_of(R"("cloth": {"size": [1, 1], "cells": [2, 2], "density": 1}, "scale": [2, 3, 1])"));
  EXPECT_NEAR(m.total_mass(), 6, 1e-12);
  EXPECT_NEAR(m.mass[0], 6.0 / 16, 1e-12);
}

TEST(Body, InlineSprings) {
  const Model m = model_of(scene_of(
      R"("springs": {"vertices": [[0,0,0],[1,0,0],[2,0,0]], "edges": [[0,1],[1,2]], "stiffness": [5, 7], "mass": 0.25})"));
  EXPECT_NEAR(m.total_mass(), 0.75, 1e-12);
  EXPECT_EQ(stiffness(m.terms[0], 1), 7);
}

TEST(Body, InlineGroupsAreSelected) {
  const std::string mesh =
      R"("mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[1,1,1]], "tets": [[0,1,2,3],[1,2,3,4]],
    "vertex_groups": {"tip": [4]}, "element_groups": {"far": [1]}}, "density": 6)";
  const Model m = model_of(
      scene_of(mesh + R"(, "regions": [{"select": "far", "density": 12}])", R"("pins": [{"select": "tip"}])"));
  EXPECT_EQ(m.pins[0].vertices, std::vector<int>{4});
  EXPECT_NEAR(m.total_mass(), 1 + 12 / 3.0, 1e-12);
}

// ---- selections ----

std::size_t selected(const std::string& select) {
  return model_of(scene_of(bar, R"("pins": [{"select": )" + select + "}]")).pins[0].vertices.size();
}

TEST(Selection, EachKind) {
  EXPECT_EQ(selected(R"({"box": [[0,-1,-1],[1,1,1]]})"), 8u);
  EXPECT_EQ(selected(R"({"sphere": {"center": [0,0,0], "radius": 1}})"), 4u);
  EXPECT_EQ(selected(R"({"plane": {"point": [2.5,0,0], "normal": [-3,0,0]}})"), 12u);
  EXPECT_EQ(selected(R"({"group": "x_max"})"), 4u);
  EXPECT_EQ(selected(R"("y_min")"), 10u);
  EXPECT_EQ(selected(R"({"indices": [3, 1, 3]})"), 2u);
  EXPECT_EQ(selected(R"({"nearest": [4.4, 0.6, 0.6]})"), 1u);
  EXPECT_EQ(selected(R"({"all": true})"), 20u);
  EXPECT_EQ(selected(R"({"side": "x+"})"), 4u);
  EXPECT_EQ(selected(R"({"side": "y-"})"), 10u);
  EXPECT_EQ(selected(R"({"side": "x-", "tolerance": 1.5})"), 8u);
  EXPECT_EQ(selected(R"({"any": [{"side": "x+"}, {"side": "x-"}, "x_min"]})"), 8u);
  EXPECT_EQ(selected(R"({"every": [{"side": "x+"}, {"side": "y-"}]})"), 2u);
  EXPECT_EQ(selected(R"({"not": {"side": "x+"}})"), 16u);
}

TEST(Selection, ActsAfterTheTransform) {
  const Model m = model_of(
      scene_of(bar + R"(, "rotate": {"axis": "z", "degrees": 90})", R"("pins": [{"select": {"side": "y+"}}])"));
  EXPECT_EQ(m.pins[0].vertices.size(), 4u);
}

// ---- motions ----

// Where the pinned vertex that starts at (0, 0.5, 0.5) or the like is at a time, with its velocity.
std::array<double, 6> moved(const std::string& motion, double time, const std::string& more = "") {
  const Model m = model_of(scene_of(bar, R"("step": 0.1, "pins": [{"select": {"nearest": [0, 0.5, 0.5]})" + more +
                                             R"(, "motion": )" + motion + "}]"));
  std::array<double, 6> out;
  m.pins[0].motion.at(time, m.pins[0].start.data(), &out[0], &out[3]);
  return out;
}

TEST(Motion, TranslatesBySpeedSineAndKeyframes) {
  EXPECT_NEAR(moved(R"({"translate": {"direction": [3,0,0], "speed": 2}})", 1.5)[0], 3, 1e-12);
  EXPECT_NEAR(moved(R"({"translate": {"direction": [3,0,0], "speed": 2}})", 1.5)[3], 2, 1e-12);
  const std::string timed = R"([{"translate": {"direction": [1,0,0], "speed": 2, "start": 1, "stop": 2}}])";
  EXPECT_NEAR(moved(timed, 0.5)[0], 0, 1e-12);
  EXPECT_NEAR(moved(timed, 1.5)[0], 1, 1e-12);
  EXPECT_NEAR(moved(timed, 9)[0], 2, 1e-12);  // stays where it is
  const std::string wave =
      R"({"translate": {"direction": [1,0,0], "amplitude": 0.5, "frequency": 1, "start": 0.125}})";
  EXPECT_NEAR(moved(wave, 0.1)[0], 0, 1e-12);
  EXPECT_NEAR(moved(wave, 0.375)[0], 0.5, 1e-12);
  EXPECT_NEAR(moved(R"({"translate": {"direction": [1,0,0], "keyframes": [[1, 2], [3, 6]]}})", 2)[0], 4, 1e-12);
}

TEST(Motion, RotatesAboutTheMiddleOrACenter) {
  const auto own = moved(R"({"rotate": {"axis": "x", "speed_degrees": 90}})", 1);
  EXPECT_NEAR(own[1], 0.5, 1e-12);  // a single vertex is its own middle
  const auto about = moved(R"({"rotate": {"axis": "x", "center": [0,0,0], "speed_degrees": 90}})", 1);
  EXPECT_NEAR(about[1], -0.5, 1e-12);
  EXPECT_NEAR(about[2], 0.5, 1e-12);
  // 10 frames.
  const auto frames = moved(R"({"rotate": {"axis": "x", "center": [0,0,0], "degrees_per_frame": 9}})", 1);
  EXPECT_NEAR(frames[1], -0.5, 1e-12);
  const auto keyed = moved(R"({"rotate": {"axis": "x", "center": [0,0,0], "keyframes": [[0, 0], [1, 180]]}})", 0.5);
  EXPECT_NEAR(keyed[1], -0.5, 1e-12);
}

TEST(Motion, StepsFollowEachOther) {
  const auto x = moved(
      R"([{"translate": {"direction": [0,1,0], "speed": 1}}, {"rotate": {"axis": "x", "center": [0,0,0], "keyframes": [[0, 90]]}}])",
      1);
  EXPECT_NEAR(x[1], -0.5, 1e-12);
  EXPECT_NEAR(x[2], 1.5, 1e-12);
}

TEST(Pin, HardPinsSetTheFirstStateSoftOnesAreTerms) {
  const std::string stretched = bar + R"(, "initial": {"stretch": [2, 1, 1]})";
  const State held = state_of(scene_of(stretched, R"("pins": [{"select": {"nearest": [0,0,0]}, "at": "rest",
    "motion": {"translate": {"direction": [0,0,1], "speed": 3}}}])"));
  EXPECT_NEAR(held.q[0], 0, 1e-12);  // at rest, not at -2 where it starts
  EXPECT_NEAR(held.v[2], 3, 1e-12);
  EXPECT_NEAR(model_of(scene_of(stretched, R"("pins": [{"select": {"nearest": [0,0,0]}}])")).pins[0].start[0], -2,
              1e-12);
  const Model soft =
      model_of(scene_of(bar, R"("pins": [{"select": {"side": "x-"}, "kind": "soft", "stiffness": 8}])"));
  EXPECT_TRUE(soft.pins.empty());
  ASSERT_NE(term_of(soft, "pin"), nullptr);
  EXPECT_EQ(term_of(soft, "pin")->elements.size(), 4);
  EXPECT_EQ(stiffness(*term_of(soft, "pin"), 0), 8);
}

TEST(Force, PerVertexTotalAndAcceleration) {
  const Model m =
      model_of(scene_of(bar, R"("forces": [{"force": [1,2,3], "select": {"side": "x+"}}, {"total": [8,0,0]},
    {"acceleration": [0,1,0], "signal": {"amplitude": 2, "frequency": 0.25, "phase": 90}}])"));
  ASSERT_EQ(m.forces.size(), 3u);
  EXPECT_EQ(m.forces[0].vertices.size(), 4u);
  EXPECT_FALSE(m.forces[0].per_mass);
  EXPECT_TRUE(m.forces[1].per_mass);
  EXPECT_NEAR(m.forces[1].vector[0] * m.total_mass(), 8, 1e-12);
  EXPECT_NEAR(m.forces[2].signal.at(0), 2, 1e-12);
  EXPECT_NEAR(m.forces[2].signal.at(1), 0, 1e-12);
  EXPECT_EQ(m.forces[0].signal.at(17), 1);
}

TEST(Obstacle, ActsOnTheSurfaceWithTheBodysStiffness) {
  const std::string ground = R"("obstacles": [{"type": "plane"}])";
  const auto push = [&](const std::string& young, const std::string& more) {
    const Model m = model_of(scene_of(
        R"("shape": {"type": "box", "cells": [3,3,3]}, "material": {"type": "corotated", "young": )" + young + "}",
        more));
    const Term* plane = term_of(m, "plane");
    EXPECT_EQ(plane->elements.size(), 64 - 8);
    alignas(64) double z[24] = {};
    alignas(64) double psi[8] = {};
    for (int i = 0; i < 8; ++i) z[8 + i] = -1;  // y = -1
    Block block;
    block.rows = 1, block.packs = 1, block.z = z, block.psi = psi;
    plane->elastic[0]->pack(std::vector<int>(56, 0))->evaluate(block);
    return psi[0];
  };
  EXPECT_GT(push("1e5", ground), 0);
  EXPECT_NEAR(push("1e6", ground) / push("1e5", ground), 10, 1e-9);
  EXPECT_NEAR(push("1e6", R"("obstacles": [{"type": "plane", "stiffness": 6}])"), 3, 1e-12);
  EXPECT_NEAR(push("1e6", R"("up": "x", "obstacles": [{"type": "plane", "stiffness": 6}])"), 0,
              1e-12);  // normal along x
}

// ---- first states ----

// x of the vertices at the ends of the bar, (0, -0.5, -0.5) and (4, 0.5, 0.5).
std::array<double, 6> ends(const std::string& initial) {
  const State t = state_of(scene_of(bar + R"(, "initial": )" + initial));
  return {t.q[0], t.q[1], t.q[2], t.q[57], t.q[58], t.q[59]};
}

void expect_near(const std::array<double, 6>& x, const std::array<double, 6>& y) {
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(x[i], y[i], 1e-12) << i;
}

TEST(Initial, StretchFlattenMirrorRotateTranslate) {
  expect_near(ends(R"({"stretch": [2, 1, 1]})"), {-2, -0.5, -0.5, 6, 0.5, 0.5});
  expect_near(ends(R"({"stretch": [2, 1, 1], "center": [0, 0, 0]})"), {0, -0.5, -0.5, 8, 0.5, 0.5});
  expect_near(ends(R"({"flatten": {"axis": "y"}})"), {0, 0, -0.5, 4, 0, 0.5});
  expect_near(ends(R"({"flatten": {"axis": [0, 1, 0], "factor": 0.1}})"), {0, -0.05, -0.5, 4, 0.05, 0.5});
  expect_near(ends(R"({"mirror": {"axis": "x"}})"), {4, -0.5, -0.5, 0, 0.5, 0.5});
  expect_near(ends(R"({"rotate": {"axis": "x", "degrees": 90}})"), {0, 0.5, -0.5, 4, -0.5, 0.5});
  expect_near(ends(R"({"translate": [1, 2, 3]})"), {1, 1.5, 2.5, 5, 2.5, 3.5});
  expect_near(ends(R"([{"translate": [1, 0, 0]}, {"stretch": [2, 1, 1], "center": [0, 0, 0]}])"),
              {2, -0.5, -0.5, 10, 0.5, 0.5});
}

TEST(Initial, TwistTurnsOneEndAgainstTheOther) {
  expect_near(ends(R"({"twist": {"axis": "x", "degrees": 180}})"), {0, -0.5, -0.5, 4, -0.5, -0.5});
}

TEST(Initial, CollapsePutsAllInOnePoint) {
  expect_near(ends(R"({"collapse": true})"), {2, 0, 0, 2, 0, 0});
  expect_near(ends(R"({"collapse": [1, 2, 3]})"), {1, 2, 3, 1, 2, 3});
}

TEST(Initial, RandomiseRepeatsWithItsSeed) {
  const auto a = ends(R"({"randomise": {"seed": 3, "box": 1}})");
  EXPECT_EQ(a, ends(R"({"randomise": {"seed": 3, "box": 1}})"));
  EXPECT_NE(a, ends(R"({"randomise": {"seed": 4, "box": 1}})"));
  const State s = state_of(scene_of(bar + R"(, "initial": {"randomise": {"box": 0.5}})"));
  for (std::size_t i = 0; i < s.q.size(); i += 3)
    EXPECT_TRUE(s.q[i] >= 1 && s.q[i] <= 3 && std::abs(s.q[i + 1]) <= 0.25);
  const auto shaken = ends(R"({"randomise": {"amplitude": 0.1}})");
  EXPECT_NEAR(shaken[0], 0, 0.1);
  EXPECT_NE(shaken[0], 0);
}

TEST(Initial, VelocityAndSpin) {
  const State s =
      state_of(scene_of(bar + R"(, "initial": {"velocity": [1, 0, 0], "spin": {"axis": "z", "rate": 2}})"));
  EXPECT_NEAR(s.v[0], 1 + 2 * 0.5, 1e-12);  // omega x r, r = (-2, -0.5, ..)
  EXPECT_NEAR(s.v[1], -4, 1e-12);
  const State t =
      state_of(scene_of(bar + R"(, "initial": {"spin": {"axis": "z", "revolutions": 1, "center": [0, -0.5, 0]}})"));
  EXPECT_NEAR(t.v[0], 0, 1e-12);
  EXPECT_NEAR(t.v[58], 2 * std::numbers::pi * 4, 1e-9);
}

}  // namespace
}  // namespace resilin::test
