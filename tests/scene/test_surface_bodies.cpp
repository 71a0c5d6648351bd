// Bodies from surfaces: "mesh": {"surface": ...}, and mesh files in place of scenes.
#include <filesystem>
#include <fstream>

#include "geometry/surface_samples.h"
#include "io/io_support.h"
#include "resilin/io.h"
#include "scene/scene_text.h"

namespace resilin::test {
namespace {

class SurfaceBodies : public ::testing::Test {
 protected:
  SurfaceBodies() {
    write_file(folder_.file("ball.obj"), write_mesh("ball.obj", to_mesh_data(ball_surface())));
    write_file(folder_.file("solid.msh"), write_mesh("solid.msh", to_mesh_data(sphere({}))));
  }
  std::string text(const std::string& mesh, const std::string& more = "") const {
    return scene_of(R"("mesh": )" + mesh + more);
  }
  Model model(const std::string& mesh, const std::string& more = "") const {
    State ignored;
    return build_model(parse_scene(text(mesh, more), folder_.file("test.json")), ignored);
  }
  InputError error(const std::string& mesh) const {
    return input_error([&] { model(mesh); });
  }
  TemporaryFolder folder_;
};

TEST_F(SurfaceBodies, CellsSpacingOrTets) {
  const auto count = [](const Model& m) { return static_cast<double>(m.bodies[0].tets.size() / 4); };
  EXPECT_EQ(count(model(R"({"surface": "ball.obj", "cells": 10})")),
            count(model(R"({"surface": "ball.obj", "cells": 10, "mesher": "stuffing"})")));
  EXPECT_GT(count(model(R"({"surface": "ball.obj", "spacing": 0.05})")),
            3 * count(model(R"({"surface": "ball.obj", "spacing": 0.1})")));
  EXPECT_NEAR(count(model(R"({"surface": "ball.obj", "tets": 2000})")), 2000, 200);
  EXPECT_NEAR(count(model(R"({"surface": "ball.obj"})")), 10000, 1000);
}

TEST_F(SurfaceBodies, TheSurfaceIsEmbeddedWhereTheBodyIs) {
  const Model m = model(R"({"surface": "ball.obj", "cells": 8})",
                        R"(, "scale": [2, -2, 2], "rotate": {"axis": "z", "degrees": 90}, "translate": [1, 2, 3])");
  const Embedding& e = m.bodies[0].embedded;
  const TriangleMesh ball = ball_surface();
  ASSERT_EQ(e.vertex_count(), ball.vertex_count());
  std::vector<double> x;
  e.place(m.bodies[0].tets, m.rest, x);
  for (std::size_t i = 0; i < x.size(); i += 3) {
    EXPECT_NEAR(x[i], 2 * ball.vertices[i + 1] + 1, 1e-12);
    EXPECT_NEAR(x[i + 1], 2 * ball.vertices[i] + 2, 1e-12);
    EXPECT_NEAR(x[i + 2], 2 * ball.vertices[i + 2] + 3, 1e-12);
  }
  EXPECT_GT(enclosed_volume({x, e.surface.triangles, {}, {}}), 0);  // the mirror image faces outward too
}

TEST_F(SurfaceBodies, ShapesCarryNoSurface) {
  State ignored;
  EXPECT_TRUE(build_model(parse(scene_of(bar)), ignored).bodies[0].embedded.empty());
}

TEST_F(SurfaceBodies, MistakesAreNamed) {
  says(error(R"({"surface": "ball.obj", "cells": 10, "tets": 100})"), "more than one of cells, spacing and tets");
  says(error(R"({"surface": "ball.obj", "cell": 10})"), "did you mean \"cells\"");
  says(error(R"({"surface": "ball.obj", "cells": 1})"), "cells");
  says(error(R"({"surface": "none.obj"})"), "there is no file");
  const InputError solid = error(R"({"surface": "solid.msh"})");
  says(solid, "bodies[0].mesh.surface");
  says(solid, "write \"mesh\": \"solid.msh\"");
  const InputError plain = error(R"("ball.obj")");
  says(plain, "is a surface of");
  says(plain, "surface\"");
  says(error(R"({"surface": "ball.obj", "mesher": "tetgen", "thicken": 0.1})"), "thicken");
}

TEST_F(SurfaceBodies, MeshFilesAreScenes) {
  for (const char* file : {"ball.obj", "solid.msh"}) {
    const Scene scene = load_scene(folder_.file(file), {{"frames", "2"}});
    EXPECT_EQ(scene.frames, 2);
    EXPECT_GE(scene.assumed.size(), 3u);
    State state;
    const Model m = build_model(scene, state);
    const Bounds box = bounds(with_embedded(m, state.q));
    EXPECT_NEAR(box.upper[1] - box.lower[1], 1, 0.02);
    EXPECT_NEAR(box.lower[1], 0.25, 0.02);
  }
  EXPECT_TRUE(load_scene("default").assumed.empty());
}

TEST_F(SurfaceBodies, WhatIsStatedIsNotAssumed) {
  const auto assumes = [&](const std::vector<Override>& overrides, const char* words) {
    const auto& all = load_scene(folder_.file("ball.obj"), overrides).assumed;
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& s) { return s.find(words) != std::string::npos; });
  };
  for (const char* words :
       {"tets", "Young's modulus", "Poisson's ratio", "neo_hookean", "scaled by", "dropped from", "kg/m^3"})
    EXPECT_TRUE(assumes({{"frames", "2"}}, words)) << words;
  EXPECT_FALSE(assumes({{"bodies[0].mesh.tets", "500"}}, "tets"));
  EXPECT_FALSE(assumes({{"bodies[0].material.young", "2e5"}}, "Young's modulus"));
  EXPECT_TRUE(assumes({{"bodies[0].material.young", "2e5"}}, "Poisson's ratio"));
  EXPECT_FALSE(assumes({{"bodies[0].material", "rubber"}}, "Poisson's ratio"));
  EXPECT_FALSE(assumes({{"bodies[0].density", "500"}}, "kg/m^3"));
}

TEST_F(SurfaceBodies, FilesWithoutElementsAreNoScenes) {
  write_file(folder_.file("cloud.obj"), "v 0 0 0\nv 1 0 0\n");
  says(input_error([&] { load_scene(folder_.file("cloud.obj")); }), "neither tets nor triangles");
}

}  // namespace
}  // namespace resilin::test
