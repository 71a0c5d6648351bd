#include "io/mesh_samples.h"
#include "resilin/scene.h"

namespace resilin::test {
namespace {

TEST(Vega, MaterialsBelongToGroups) {
  const MeshData mesh = read_back("a.veg", seed("vega/two.veg"));
  EXPECT_EQ(mesh.tets, (std::vector<int>{0, 1, 2, 3, 1, 4, 2, 3}));
  EXPECT_EQ(mesh.tet_groups, (Groups{{"soft", {0}}, {"hard", {1}}}));
  ASSERT_EQ(mesh.materials.size(), 2u);
  EXPECT_EQ(mesh.materials[0].group, "soft");
  EXPECT_EQ(mesh.materials[1].young, 1e7);
  EXPECT_EQ(mesh.materials[1].density, 1500);
}

TEST(Vega, WritesWhatItReads) {
  const MeshData mesh = read_back("a.veg", seed("vega/two.veg")),
                 back = read_back("a.veg", write_mesh("a.veg", mesh));
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.tets, mesh.tets);
  EXPECT_EQ(back.tet_groups, mesh.tet_groups);
  ASSERT_EQ(back.materials.size(), 2u);
  EXPECT_EQ(back.materials[1].name, "bone");
  EXPECT_EQ(back.materials[1].poisson, 0.3);
}

TEST(Vega, IncludesOnlyFromBesideAndNotesWhatIsMissing) {
  const TemporaryFolder folder;
  const std::string text = replaced(seed("vega/two.veg"), "*SET soft\n1\n", "*SET soft\n*INCLUDE soft.txt\n");
  write_file(folder.file("a.veg"), text);
  MeshData mesh = read_mesh(folder.file("a.veg"));
  EXPECT_EQ(mesh.notes.size(), 1u);
  EXPECT_TRUE(mesh.tet_groups["soft"].empty());
  write_file(folder.file("soft.txt"), "# elements\n1, 2\n");
  mesh = read_mesh(folder.file("a.veg"));
  EXPECT_EQ(mesh.tet_groups["soft"], (std::vector<int>{0, 1}));
  write_file(folder.file("b.veg"), replaced(text, "soft.txt", "../soft.txt"));
  EXPECT_EQ(read_mesh(folder.file("b.veg")).notes.size(), 1u);
}

TEST(Vega, SceneUsesItsMaterialsUnlessItSaysOtherwise) {
  const TemporaryFolder folder;
  write_file(folder.file("a.veg"), seed("vega/two.veg"));
  const auto masses = [&](const std::string& more) {
    State state;
    return build_model(parse_scene(R"({"bodies": [{"mesh": "a.veg")" + more + "}]}", folder.file("scene.json")),
                       state)
        .total_mass();
  };
  const MeshData mesh = read_mesh(folder.file("a.veg"));
  const TetMesh solid = to_tet_mesh(mesh, "a.veg");
  EXPECT_NEAR(masses(""), 1000 * tet_volume(solid, 0) + 1500 * tet_volume(solid, 1), 1e-9);
  EXPECT_NEAR(masses(R"(, "density": 10)"), 10 * total_volume(solid), 1e-9);
  EXPECT_NEAR(masses(R"(, "material": "rubber", "density": 20)"), 20 * total_volume(solid), 1e-9);
  EXPECT_NEAR(masses(R"(, "regions": [{"select": {"group": "hard"}, "density": 0.5}])"),
              1000 * tet_volume(solid, 0) + 0.5 * tet_volume(solid, 1), 1e-9);
  write_file(folder.file("a.veg"), replaced(seed("vega/two.veg"), "*SET hard\n2,\n", "*SET hard\n"));
  says(input_error([&] { masses(""); }), "leave out 1 of 2 tets");
}

TEST(Vega, Refuses) {
  const std::string text = seed("vega/two.veg");
  says(refusal("a.veg", replaced(text, "TET", "CUBIC")), "only TET");
  says(refusal("a.veg", replaced(text, "1 1 2 3 4", "1 1 2 3 7")), "element 1 names vertex 7");
  says(refusal("a.veg", replaced(text, "1e6, 0.45", "1e6, 0.5")), "Poisson");
  says(refusal("a.veg", replaced(text, "soft, rubber", "none, rubber")), "set \"none\"");
  says(refusal("a.veg", replaced(text, "*SET hard\n2,", "*SET hard\n3,")), "names element 3");
}

}  // namespace
}  // namespace resilin::test
