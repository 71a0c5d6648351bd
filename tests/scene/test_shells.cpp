// Shells in scenes: what is counted, what is refused and how it is said, and what is repaired on request.
#include <gtest/gtest.h>

#include "io/io_support.h"
#include "model/counts.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"
#include "resilin/simulation.h"
#include "scene/presets.h"
#include "scene/scene_text.h"

namespace resilin::test {
namespace {

std::string body(const std::string& keys) { return R"({"bodies": [{"name": "cloth", )" + keys + "}]}"; }

std::string words_of(const std::string& text) { return in_words(count_elements(model_of(text))); }

void expect_error(const std::string& text, const std::vector<std::string>& parts) {
  const InputError error = scene_error(text);
  for (const std::string& part : parts) says(error, part);
}

// The height of a corner after a few frames under gravity, held at the other end.
double hanging(const std::string& keys) {
  std::string text = body(keys + R"(, "rotate": {"axis": "x", "degrees": 90})");
  text.replace(text.size() - 1, 1, R"(, "pins": [{"select": "x_min"}]})");
  const auto simulation = build_simulation(parse(text), 1);
  for (int i = 0; i < 5; ++i) simulation->step();
  return simulation->positions().at(3 * 2 + 1);
}

TEST(ShellScenes, TrianglesOfShellsAndSkinsAreCounted) {
  EXPECT_EQ(words_of(body(R"("shell": {"type": "grid", "cells": [2, 3]})")), "15 triangles");
  EXPECT_EQ(words_of(body(R"("shell": {"type": "grid", "cells": [2, 3]}, "material": "none", "bending": "none")")),
            "15 triangles");
  const std::string tet = R"("mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "tets": [[0,1,2,3]]})";
  EXPECT_EQ(words_of(body(tet)), "1 tet");
  EXPECT_EQ(words_of(body(tet + R"(, "skin": {})")), "1 tet, 4 triangles");
  EXPECT_EQ(words_of(body(R"("cloth": {"cells": [1, 1]})")), "6 springs");
}

TEST(ShellScenes, PresetsHoldWhereTheBodySaysNothing) {
  const std::string grid = R"("shell": {"type": "grid", "size": [2, 1], "cells": [2, 1]}, )";
  for (const SheetPreset& preset : sheet_presets()) {
    const std::string named = grid + R"("preset": ")" + preset.name + '"';
    EXPECT_NEAR(model_of(body(named)).total_mass(), 2 * preset.surface_density, 1e-12) << preset.name;
    const std::string stated =
        grid + R"("thickness": )" + std::to_string(preset.thickness) + R"(, "surface_density": )" +
        std::to_string(preset.surface_density) + R"(, "material": {"type": ")" + preset.material +
        R"(", "young": )" + std::to_string(preset.young()) + R"(, "poisson": )" + std::to_string(preset.poisson) +
        R"(}, "bending": {"type": "quadratic", "stiffness": )" + std::to_string(preset.bending * 1e9) + "e-9}";
    EXPECT_NEAR(hanging(named), hanging(stated), 1e-9) << preset.name;
  }
  EXPECT_NEAR(model_of(body(grid + R"("preset": "silk", "surface_density": 3)")).total_mass(), 6, 1e-12);
  EXPECT_NEAR(model_of(body(grid + R"("preset": "silk", "density": 500)")).total_mass(), 2 * 500 * 1e-4, 1e-12);
  EXPECT_EQ(model_of(body(grid + R"("preset": "denim", "bending": "none")")).terms.size(), 1u);
  EXPECT_EQ(model_of(body(grid + R"("preset": "denim")")).terms.size(), 2u);
  expect_error(body(grid + R"("preset": "velvet")"), {"preset", "velvet", "denim"});
  expect_error(scene_of(unit_tet + R"(, "preset": "silk")"), {"preset", "only shells"});
}

// A preset is what a measurement would find: density, stretch and plate theory where they go together.
TEST(ShellScenes, PresetsAreConsistent) {
  for (const SheetPreset& preset : sheet_presets()) {
    const double plate =
        preset.young() * std::pow(preset.thickness, 3) / (12 * (1 - preset.poisson * preset.poisson));
    EXPECT_LE(preset.bending, 1.05 * plate)
        << preset.name << ": yarns slide, so that cloth bends more easily than a plate";
    EXPECT_GT(preset.surface_density / preset.thickness, 200) << preset.name;
    EXPECT_LT(preset.surface_density / preset.thickness, 1500) << preset.name;
    EXPECT_FALSE(preset.source.empty());
  }
}

// ---- bad input
// -----------------------------------------------------------------------------------------------------

std::string triangles(const std::string& vertices, const std::string& ids, const std::string& more = "") {
  return body(R"("shell": {"vertices": [)" + vertices + R"(], "triangles": [)" + ids + "]}" + more);
}
const std::string square = "[0,0,0],[1,0,0],[1,1,0],[0,1,0]";
const std::string repaired = R"(, "bending": "none", "repair": true)";

struct Damage {
  std::string vertices, ids;
  std::vector<std::string> error;  // words of it
  std::string note;                // of the repair
  int triangles;                   // after it
};

TEST(ShellScenes, DefectsAreNamedAndRepairedOnRequestOnly) {
  const Damage cases[] = {
      {square + ",[0,0,1]",
       "[0,1,2],[0,2,3],[0,4,2]",
       {"edge (0, 2) of triangle 0", "more than two triangles"},
       "cut",
       3},
      {square, "[0,1,2],[0,2,3],[1,2,0]", {"triangle 2", "vertices of triangle 0"}, "triangle", 2},
      {square + ",[0.5,0.5,0]", "[0,1,2],[0,2,3],[0,4,2]", {"triangle 2", "area 0"}, "without area", 2},
      {square + ",[5,5,5]", "[0,1,2],[0,2,3]", {"vertex 4", "no triangle"}, "vert", 2},
      {square, "[0,1,2],[0,3,2]", {"edge (0, 2) of triangle 0", "face different sides"}, "turned", 2},
      {square, "[0,1,2],[0,2,2]", {"triangle 1", "twice"}, "", 1},
  };
  for (const Damage& damage : cases) {
    std::vector<std::string> parts = damage.error;
    parts.push_back("bodies[0].shell");
    parts.push_back("\"repair\": true");
    expect_error(triangles(damage.vertices, damage.ids), parts);
    State start;
    std::vector<std::string> notes;
    const Model model = build_model(parse(triangles(damage.vertices, damage.ids, repaired)), start, &notes);
    EXPECT_EQ(model.bodies[0].triangles.size(), 3u * damage.triangles) << damage.ids;
    ASSERT_FALSE(notes.empty()) << damage.ids;
    EXPECT_NE(notes[0].find(damage.note), std::string::npos) << notes[0];
  }
}

TEST(ShellScenes, AnEdgeOfThreeTrianglesIsCutSoThatTwoStayTogether) {
  State start;
  std::vector<std::string> notes;
  const Model model =
      build_model(parse(triangles(square + ",[0,0,1]", "[0,1,2],[0,2,3],[0,4,2]", repaired)), start, &notes);
  EXPECT_EQ(model.bodies[0].triangles, (std::vector<int>{0, 1, 2, 0, 2, 3, 5, 4, 6}));
  EXPECT_EQ(std::vector<double>(start.q.begin() + 15, start.q.end()), (std::vector<double>{0, 0, 0, 1, 1, 0}));
  EXPECT_TRUE(build_model(parse(triangles(square, "[0,1,2],[0,2,3]", repaired)), start).bodies[0].vertex_count ==
              4);
}

TEST(ShellScenes, WrongValuesAreNamed) {
  const std::string grid = R"("shell": {"type": "grid", "cells": [1, 1]}, )";
  expect_error(triangles(square, "[0,1,2],[0,2,4]"), {"triangle 1 names vertex 4"});
  expect_error(triangles(square, "[0,1,2],[0,-2,3]"), {"triangle 1 names vertex -2"});
  expect_error(triangles(square, "[0,1]"), {"triangles[0]", "3 ids"});
  expect_error(triangles(square, ""), {"needs a triangle"});
  expect_error(triangles("[0,0,0],[1,0,0],[0,1e999,0]", "[0,1,2]"), {"overflow", "1e999"});
  expect_error(triangles("[0,0,0],[1,0,0],[0,\"NaN\",0]", "[0,1,2]"), {"vertices[2]"});
  expect_error(body(grid + R"("thickness": 0)"), {"thickness", "0"});
  expect_error(body(grid + R"("thickness": -1e-3)"), {"thickness", "-0.001"});
  expect_error(body(grid + R"("thickness": [1e-3, 0])"), {"thickness[1]"});
  expect_error(body(grid + R"("thickness": [1e-3, 1e-3])"), {"thickness", "2 values", "3 triangles"});
  expect_error(body(grid + R"("surface_density": 0)"), {"surface_density"});
  expect_error(body(grid + R"("surface_density": 1, "density": 3)"), {"surface_density", "density is given too"});
  expect_error(body(grid + R"("warp": [0, 0, 0])"), {"warp", "zero"});
  expect_error(body(grid + R"("bending": "springy")"), {"bending", "springy", "quadratic"});
  expect_error(body(grid + R"("bending": {"type": "quadratic", "stiffness": -1})"), {"stiffness"});
  expect_error(body(grid + R"("bending": {"type": "quadratic", "stiffness": [1, 2]})"), {"2", "3 triangles"});
  expect_error(body(grid + R"("potentials": [{"type": "limit"}])"), {"potentials[0]", "limit", "strain_limit"});
  expect_error(body(grid + R"("skin": {})"), {"skin", "only solids"});
  expect_error(body(grid + R"("regions": [])"), {"regions", "only solids"});
  expect_error(scene_of(unit_tet + R"(, "thickness": 1)"), {"thickness", "only shells", "skin"});
  expect_error(scene_of(unit_tet + R"(, "material": "none")"), {"material", "only shells and skins"});
  expect_error(scene_of(unit_tet + R"(, "skin": {"thickness": 0})"), {"skin.thickness"});
  expect_error(scene_of(unit_tet + R"(, "skin": {"thickness": [1, 2]})"), {"thickness", "2 values", "4 triangles"});
}

TEST(ShellScenes, TheBuilderNamesVerticesThatAreNotFinite) {
  TriangleMesh mesh = grid_sheet({{1, 1}, {1, 1}});
  mesh.vertices[7] = std::numeric_limits<double>::quiet_NaN();
  const InputError error = input_error([&] { Builder().add(Shell{.name = "cloth", .mesh = mesh}); });
  says(error, "cloth");
  says(error, "vertex 2");
}

TEST(ShellScenes, FilesWithoutTrianglesAreRefused) {
  const TemporaryFolder folder;
  write_file(folder.file("tet.mesh"),
             "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
             "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  write_file(folder.file("line.obj"), "v 0 0 0\nv 1 0 0\nl 1 2\n");
  write_file(folder.file("bad.obj"), "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
  expect_error(body(R"("shell": ")" + folder.file("tet.mesh") + '"'), {"1 tets", "\"mesh\""});
  expect_error(body(R"("shell": ")" + folder.file("line.obj") + '"'), {"2 vertices and no triangle"});
  expect_error(body(R"("shell": ")" + folder.file("bad.obj") + '"'), {"nan"});
  expect_error(body(R"("shell": "nowhere.obj")"), {"no file"});
}

// A file of the body's elements, in the file's unit: it is scaled as the body is.
TEST(ShellScenes, ExampleShapesComeFromFiles) {
  const TemporaryFolder folder;
  MeshData sheet;
  sheet.vertices = {0, 0, 0, 100, 0, 0, 0, 100, 0, 100, 100, 0};
  sheet.triangles = {0, 1, 3, 0, 3, 2};
  MeshData tet;
  tet.vertices = {0, 0, 0, 100, 0, 0, 0, 100, 0, 0, 0, 100}, tet.tets = {0, 1, 2, 3};
  const std::string potential =
      R"(, "scale": 0.01, "potentials": [{"type": "example", "stiffness": 8, "shapes": [)";
  const auto check_kind = [&](const MeshData& mesh, const std::string& keys) {
    write_file(folder.file("body.vtu"), write_mesh("body.vtu", mesh));
    MeshData wide = mesh, other = mesh;
    for (std::size_t i = 0; i < wide.vertices.size(); i += 3) wide.vertices[i] *= 1.5;
    write_file(folder.file("wide.vtu"), write_mesh("wide.vtu", wide));
    const std::string file = keys + '"' + folder.file("body.vtu") + '"' + potential + '"' + folder.file("wide.vtu");
    const Model model = model_of(body(file + "\"]}]"));
    ThreadPool pool(1);
    DynamicSystem system(model, pool);
    const auto energy = [&](double factor) {
      std::vector<double> q = model.rest;
      for (std::size_t i = 0; i < q.size(); i += 3) q[i] *= factor;
      return system.potential_energy(q.data(), nullptr);
    };
    const double volume = model.terms[0].elements.measure(0) * model.terms[0].elements.size();
    for (const double free : {1.0, 1.2, 1.5}) EXPECT_NEAR(energy(free), 0, 1e-9 * volume) << keys << free;
    EXPECT_NEAR(energy(2) / volume, 8.0 / 2 * 0.25, 1e-6) << keys;

    (other.tets.empty() ? other.triangles : other.tets)[0] = other.vertex_count() - 1;
    (other.tets.empty() ? other.triangles : other.tets)[2] = 0;
    (other.tets.empty() ? other.triangles : other.tets)[1] = other.tets.empty() ? 2 : 1;
    other.vertices.insert(other.vertices.end(), {1, 2, 3});
    if (!other.tets.empty()) other.tets[3] = other.vertex_count() - 1;
    write_file(folder.file("other.vtu"), write_mesh("other.vtu", other));
    const std::string wrong = keys + '"' + folder.file("body.vtu") + '"' + potential + '"';
    expect_error(body(wrong + folder.file("other.vtu") + "\"]}]"),
                 {"shapes[0]", "joins other vertices", "same order"});
    expect_error(body(wrong + folder.file("nowhere.vtu") + "\"]}]"), {"shapes[0]", "no file"});
  };
  check_kind(sheet, R"("material": "none", "bending": "none", "shell": )");
  check_kind(tet, R"("material": {"type": "arap", "stiffness": 1e-12}, "mesh": )");
  MeshData three = sheet;
  three.vertices.insert(three.vertices.end(), {200, 0, 0});
  three.triangles.insert(three.triangles.end(), {1, 4, 3});
  write_file(folder.file("three.obj"), write_mesh("three.obj", three));
  write_file(folder.file("two.obj"), write_mesh("two.obj", sheet));
  expect_error(
      body(R"("shell": ")" + folder.file("two.obj") + '"' + potential + '"' + folder.file("three.obj") + "\"]}]"),
      {"shapes[0]", "3 triangles", "body has 2"});
}

TEST(SpringScenes, EdgesOfFilesAreSprings) {
  const TemporaryFolder folder;
  MeshData rope;
  rope.vertices = {0, 0, 0, 1, 0, 0, 9, 9, 9, 1, 1, 0};
  rope.edges = {0, 1, 1, 3};
  for (const char* name : {"rope.obj", "rope.vtu", "rope.vtk", "rope.ply", "rope.msh"}) {
    write_file(folder.file(name), write_mesh(name, rope));
    const std::string file = R"("springs": {"mesh": ")" + folder.file(name) + R"(", "stiffness": 7})";
    const Model model = model_of(body(file));
    EXPECT_EQ(model.bodies[0].edges, (std::vector<int>{0, 1, 1, 2})) << name;
    EXPECT_EQ(model.rest, (std::vector<double>{0, 0, 0, 1, 0, 0, 1, 1, 0}))
        << name << ": unused vertices are left out";
  }
  write_file(folder.file("face.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  expect_error(body(R"("springs": {"mesh": ")" + folder.file("face.obj") + R"("})"), {"1 triangles", "no edge"});
  expect_error(body(R"("springs": {"mesh": "nowhere.obj"})"), {"springs.mesh", "no file"});
  expect_error(body(R"("springs": {"mesh": "a.obj", "vertices": []})"), {"springs", "more than one"});
  expect_error(body(R"("springs": {"mesh": ")" + folder.file("rope.obj") + R"(", "stiffness": [1, 2, 3]})"),
               {"stiffness", "3 values", "2 springs"});
  expect_error(body(R"("springs": {"vertices": [[0,0,0]]})"), {"springs", "\"edges\" is missing"});
}

}  // namespace
}  // namespace resilin::test
