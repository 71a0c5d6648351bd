// Every bad input is an InputError that names the file, the place, the value and what is allowed.
#include <gtest/gtest.h>

#include <fstream>

#include "scene/scene_text.h"

namespace resilin::test {
namespace {

// `text` must fail with all of `words` in its message.
void expect_words(const std::string& text, const std::vector<std::string>& words) {
  const InputError error = scene_error(text);
  for (const std::string& w : words) says(error, w);
}

TEST(BadInput, UnknownKeysAtEveryLevel) {
  expect_words(scene_of(bar, R"("frmaes": 3)"), {"test.json", "\"frmaes\"", "did you mean \"frames\""});
  expect_words(scene_of(bar + R"(, "densty": 3)"), {"bodies[0]", "\"densty\"", "density"});
  expect_words(scene_of(bar + R"(, "material": {"type": "corotated", "yuong": 3})"),
               {"bodies[0].material", "young"});
  expect_words(scene_of(R"("shape": {"type": "box", "sise": [1,1,1]})"), {"bodies[0].shape", "\"sise\"", "size"});
  expect_words(scene_of(bar, R"("solver": {"iteration": 3})"), {"solver", "\"iteration\"", "iterations"});
  expect_words(scene_of(bar, R"("pins": [{"select": {"sid": "x-"}}])"), {"pins[0].select", "\"sid\""});
  expect_words(scene_of(bar, R"("obstacles": [{"type": "plane", "heigth": 1}])"), {"obstacles[0]", "height"});
  expect_words(scene_of(bar, R"("output": {"format": []})"), {"output", "formats"});
  expect_words(scene_of(bar + R"(, "initial": {"spin": {"axis": "x", "rte": 1}})"),
               {"bodies[0].initial.spin", "\"rte\""});
}

TEST(BadInput, WrongTypes) {
  expect_words(scene_of(bar, R"("frames": "ten")"), {"test.json: frames", "\"ten\"", "a number is wanted"});
  expect_words(scene_of(bar, R"("frames": 1.5)"), {"frames", "1.5", "whole number"});
  expect_words(scene_of(bar, R"("gravity": "down")"), {"gravity", "\"down\"", "a number or a vector"});
  expect_words(scene_of(bar, R"("gravity": [1, 2])"), {"gravity", "[1,2]"});
  expect_words(scene_of(bar, R"("pins": {})"), {"pins", "list of pin objects"});
  expect_words(scene_of(bar, R"("solver": 3)"), {"solver", "3", "name of a solver"});
  expect_words(R"({"bodies": [3]})", {"bodies[0]", "3", "object"});
  expect_words(R"([])", {"test.json", "object"});
  expect_words(R"({"bodies": []})", {"bodies", "empty"});
  expect_words(R"({})", {"bodies", "missing"});
}

TEST(BadInput, NumbersOutOfRange) {
  expect_words(scene_of(bar + R"(, "material": {"type": "corotated", "poisson": 0.5})"),
               {"bodies[0].material.poisson", "0.5", "(-1, 0.5)"});
  expect_words(scene_of(bar + R"(, "density": -1000)"), {"bodies[0].density", "-1000", "> 0"});
  expect_words(scene_of(bar, R"("step": 0)"), {"step", "> 0"});
  expect_words(scene_of(bar, R"("substeps": 0)"), {"substeps", "0"});
  expect_words(scene_of(bar + R"(, "scale": 0)"), {"bodies[0].scale", "0"});
  expect_words(scene_of(R"("cloth": {"cells": [0, 3]})"), {"bodies[0].cloth.cells[0]", "0"});
  expect_words(scene_of(R"("cloth": {"cells": [3]})"), {"bodies[0].cloth.cells", "[3]"});
  expect_words("{\"bodies\": [{" + bar + ", \"density\": NaN}]}", {"test.json:1:", "NaN"});
}

TEST(BadInput, UnknownNames) {
  expect_words(scene_of(bar, R"("solver": "newtn")"), {"solver", "\"newtn\"", "newton"});
  expect_words(scene_of(bar, R"("integrator": {"type": "euler"})"), {"integrator", "\"euler\"", "backward_euler"});
  expect_words(scene_of(bar + R"(, "material": "ruber")"), {"bodies[0].material", "\"ruber\"", "rubber"});
  expect_words(scene_of(bar + R"(, "material": {"like": "corotated"})"), {"bodies[0].material.like", "is a type"});
  expect_words(scene_of(bar + R"(, "material": {"young": 3})"), {"bodies[0].material", "\"type\" is missing"});
  expect_words(scene_of(R"("shape": {"type": "bax"})"), {"bodies[0].shape.type", "\"bax\"", "box"});
  expect_words(scene_of(bar, R"("name": "a/b")"), {"name", "a/b"});
  expect_words(scene_of(R"("name2": 1)"), {"bodies[0]"});
  expect_words(scene_of(bar, R"("pins": [{"body": "bra", "select": {"side": "x-"}}])"),
               {"pins[0].body", "\"bra\"", "bar"});
}

TEST(BadInput, ABodyHasExactlyOneSource) {
  expect_words(R"({"bodies": [{"name": "a"}]})", {"bodies[0]", "none of shape, cloth, mesh, springs or shell"});
  expect_words(scene_of(bar + R"(, "cloth": {})"), {"bodies[0]", "more than one"});
  expect_words(scene_of(R"("cloth": {}, "material": "gel")"), {"bodies[0].material", "only solids"});
}

TEST(BadInput, MeshFiles) {
  expect_words(scene_of(R"("mesh": "missing.msh")"), {"bodies[0].mesh", "missing.msh", "there is no file"});
  const std::string file = testing::TempDir() + "resilin_test.xyz";
  std::ofstream(file) << "something";
  expect_words(scene_of(R"("mesh": ")" + file + "\""), {"bodies[0].mesh", file, "mesh format", ".msh"});
}

TEST(BadInput, MeshesAreChecked) {
  const auto mesh = [](const std::string& vertices, const std::string& tets) {
    return scene_of(R"("mesh": {"vertices": )" + vertices + R"(, "tets": )" + tets + "}");
  };
  const std::string corner = "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]";
  expect_words(mesh(corner, "[[0,1,2,4]]"), {"bodies[0].mesh", "tet 0", "4", "0..3"});
  expect_words(mesh(corner, "[[0,1,2]]"), {"bodies[0].mesh.tets[0]", "[0,1,2]"});
  expect_words(mesh(corner, "[]"), {"bodies[0].mesh.tets", "empty"});
  expect_words(mesh(corner, "[[0,2,1,3]]"), {"bodies[0].mesh", "tet 0", "-0.166667", "repair"});
  expect_words(mesh("[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]", "[[0,1,2,3]]"), {"bodies[0].mesh", "tet 0", "volume 0"});
  expect_words(mesh("[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[5,5,5]]", "[[0,1,2,3]]"), {"vertex 4", "no tet"});
  expect_words(mesh("[[0,0],[1,0,0]]", "[[0,1,2,3]]"), {"bodies[0].mesh.vertices[0]", "[0,0]"});
}

TEST(BadInput, RepairTurnsTetsAroundAndSaysSo) {
  const Scene scene = parse(scene_of(
      R"("mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[1,1,1]], "tets": [[0,2,1,3],[1,2,3,4]]}, "repair": true)"));
  std::vector<std::string> notes;
  State state;
  const Model model = build_model(scene, state, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("bodies[0].mesh: 1 inverted tets"), std::string::npos) << notes[0];
  for (int i = 0; i < 2; ++i) EXPECT_GT(model.terms[0].elements.measure(i), 0);
}

TEST(BadInput, SelectionsOfNothingGiveTheBounds) {
  const std::string far = R"({"box": [[10,10,10],[11,11,11]]})";
  expect_words(scene_of(bar, R"("pins": [{"select": )" + far + "}]"),
               {"pins[0].select", "selects nothing", "[0, -0.5, -0.5] .. [4, 0.5, 0.5]"});
  expect_words(scene_of(bar, R"("forces": [{"force": [1,0,0], "select": )" + far + "}]"),
               {"forces[0].select", "selects nothing"});
  expect_words(scene_of(bar + R"(, "regions": [{"density": 5, "select": )" + far + "}]"),
               {"bodies[0].regions[0].select", "20 tets"});
}

TEST(BadInput, SelectionsThatMakeNoSense) {
  const auto pin = [](const std::string& select) {
    return scene_of(bar, R"("pins": [{"select": )" + select + "}]");
  };
  expect_words(pin(R"({"indices": [0, 20]})"), {"pins[0].select.indices", "20", "0..19"});
  expect_words(pin(R"({"group": "x_mni"})"), {"pins[0].select.group", "\"x_mni\"", "x_min"});
  expect_words(pin(R"({})"), {"pins[0].select", "none of"});
  expect_words(pin(R"({"all": true, "side": "x-"})"), {"pins[0].select", "more than one"});
  expect_words(pin(R"({"box": [[1,0,0],[0,1,1]]})"), {"pins[0].select.box", "along x"});
  expect_words(pin(R"({"box": [[1,0,0]]})"), {"pins[0].select.box"});
  expect_words(pin(R"({"plane": {"point": [0,0,0], "normal": [0,0,0]}})"), {"pins[0].select.plane.normal", "zero"});
  expect_words(pin(R"({"sphere": {"center": [0,0,0], "radius": -1}})"), {"pins[0].select.sphere.radius", "-1"});
  expect_words(pin(R"({"all": true, "tolerance": 1})"), {"pins[0].select.tolerance", "side"});
}

TEST(BadInput, Pins) {
  expect_words(scene_of(bar, R"("pins": [{"select": {"side": "x-"}}, {"select": {"box": [[-1,-1,-1],[2,1,1]]}}])"),
               {"pins[1]", "vertex 0", "pins[0]"});
  expect_words(scene_of(bar, R"("pins": [{"select": {"side": "x-"}, "kind": "soft"}])"), {"pins[0]", "stiffness"});
  expect_words(scene_of(bar, R"("pins": [{"select": {"side": "x-"}, "stiffness": 5}])"),
               {"pins[0].stiffness", "soft"});
  expect_words(R"({"bodies": [{)" + bar + "}, {" + bar + R"(}], "pins": [{"select": {"side": "x-"}}]})",
               {"pins[0]", "body1 or body2"});
  expect_words(R"({"bodies": [{"name": "a", )" + bar + R"(}, {"name": "a", )" + bar + "}]}",
               {"bodies[1]", "\"a\""});
}

TEST(BadInput, MotionsAndSignals) {
  const auto moved = [](const std::string& step) {
    return scene_of(bar, R"("pins": [{"select": {"side": "x-"}, "motion": [)" + step + "]}]");
  };
  const std::string at = "pins[0].motion[0]";
  expect_words(moved(R"({"translate": {"direction": [1,0,0]}})"),
               {at + ".translate", "none of speed, amplitude or keyframes"});
  expect_words(moved(R"({"translate": {"direction": [0,0,0], "speed": 1}})"),
               {at + ".translate.direction", "zero"});
  expect_words(moved(R"({"rotate": {"axis": "w", "speed_degrees": 1}})"), {at + ".rotate.axis", "\"w\""});
  expect_words(moved(R"({"rotate": {"axis": "x", "amplitude": 1}})"), {at + ".rotate.amplitude", "frequency"});
  expect_words(moved(R"({"rotate": {"axis": "x", "keyframes": [[0, 1], [0, 2]]}})"),
               {at + ".rotate.keyframes[1]", "ascend"});
  expect_words(moved(R"({"rotate": {"axis": "x", "keyframes": [[0, 1]], "stop": 4}})"), {at + ".rotate.stop"});
  expect_words(moved(R"({"rotate": {"axis": "x", "amplitude": 1, "frequency": 1, "stop": 0.6}})"),
               {at + ".rotate.stop", "0.5 s"});
  expect_words(scene_of(bar, R"("forces": [{"force": [1,0,0], "signal": {"start": 2, "stop": 1}}])"),
               {"forces[0].signal.stop", "1"});
  expect_words(scene_of(bar, R"("forces": [{"select": {"all": true}}])"),
               {"forces[0]", "force, total or acceleration"});
}

TEST(BadInput, MaterialsOfRegions) {
  const auto region = [](const std::string& material) {
    return scene_of(
        bar +
        R"(, "material": {"type": "corotated", "young": 1e5}, "regions": [{"select": {"all": true}, "material": )" +
        material + "}]");
  };
  expect_words(region(R"({"poisson": 2})"), {"bodies[0].regions[0].material.poisson", "2"});
  expect_words(region(R"({"c1": 2})"), {"bodies[0].regions[0].material", "\"c1\""});
  expect_words(region(R"({"mu": 2})"), {"bodies[0].regions[0].material", "mu and lambda"});
  expect_words(scene_of(bar + R"(, "regions": [{"select": {"all": true}}])"), {"bodies[0].regions[0]", "nothing"});
  expect_words(scene_of(bar + R"(, "material": {"type": "corotated", "young": [1, 2]})"),
               {"bodies[0].material.young", "20 tets"});
}

TEST(BadInput, ASolverThatCannotTakeATerm) {
  expect_words(scene_of(bar + R"(, "material": {"type": "neo_hookean"})", R"("solver": "projective_dynamics")"),
               {"test.json: solver", "projective_dynamics", "neo_hookean", "quasi_newton"});
}

}  // namespace
}  // namespace resilin::test
