// The front door: which reader gets a file, gzip, conversions between kinds of meshes, and the real files of
// $RESILIN_MESHES.
#include "io/base64.h"
#include "io/mesh_samples.h"
#include "io/position_spool.h"

namespace resilin::test {
namespace {

TEST(ReadMesh, ContentBeatsExtension) {
  EXPECT_EQ(read_back("a.obj", seed("gmsh/v41.msh")).tet_count(), 2);
  EXPECT_EQ(read_back("a.msh", seed("vtu/raw.vtu")).tet_count(), 2);
  EXPECT_EQ(read_back("whatever", seed("ply/big.ply")).triangle_count(), 6);
  EXPECT_EQ(read_back("a.vtk", seed("vega/two.veg")).tet_count(), 2);
  EXPECT_EQ(read_back("A.OBJ", seed("obj/two.obj")).triangle_count(), 6);
}

TEST(ReadMesh, SaysWhatItDoesNotKnow) {
  says(refusal("a.xyz", "1 2 3\n"), "known are");
  says(refusal("a.glb", "glTF"), "written but not read");
  says(refusal("a.msh", ""), "is empty");
  says(input_error([] { read_mesh("/nonexistent/a.msh"); }), "cannot be read");
}

TEST(ReadMesh, GzipIsTransparent) {
  if (!has_zlib()) GTEST_SKIP() << "built without zlib";
  const TemporaryFolder folder;
  write_file(folder.file("a.msh.gz"), write_mesh("a.msh.gz", sample()));
  EXPECT_TRUE(is_gzip(slurp(folder.file("a.msh.gz"))));
  EXPECT_EQ(read_mesh(folder.file("a.msh.gz")).tets, sample().tets);
  write_file(folder.file("b.msh"), slurp(folder.file("a.msh.gz")));  // whatever its name
  EXPECT_EQ(read_mesh(folder.file("b.msh")).tets, sample().tets);
  const std::string whole = slurp(folder.file("a.msh.gz"));
  says(refusal("a.msh.gz", whole.substr(0, whole.size() / 2)), "gzip data is damaged");
  says(refusal("a.msh.gz", gzip(std::string(200 << 20, ' '))), "far more than a mesh");
}

TEST(ReadMesh, AllNegativeTetsAreAConventionSingleOnesADefect) {
  const std::string good = write_mesh("a.msh", solid_sample());
  MeshData mesh = solid_sample();
  ASSERT_GT(tet_volume(to_tet_mesh(mesh, ""), 0), 0);
  std::swap(mesh.tets[0], mesh.tets[1]);
  EXPECT_EQ(read_back("a.msh", write_mesh("a.msh", mesh)).tets, mesh.tets);
  std::swap(mesh.tets[4], mesh.tets[5]);
  const MeshData back = read_back("a.msh", write_mesh("a.msh", mesh));
  EXPECT_EQ(back.notes.size(), 1u);
  EXPECT_GT(tet_volume(to_tet_mesh(back, ""), 0), 0);
}

TEST(WriteMesh, RefusesUnknownNamesAndVariants) {
  says(input_error([] { write_mesh("a.xyz", sample()); }), "known are");
  says(input_error([] { write_mesh("a.node", sample()); }), "is not written");
  says(input_error([] { write_mesh("a.msh", sample(), {"3"}); }), "4.1 or 2.2");
  says(input_error([] { write_mesh("a.obj", sample(), {"binary"}); }), "no variant");
}

TEST(MeshData, ASurfaceIsNoSolid) {
  MeshData mesh = sample();
  mesh.tets.clear();
  const InputError error = input_error([&] { to_tet_mesh(mesh, "spot.obj"); });
  says(error, "spot.obj: is a surface of 6 triangles");
  says(error, "surface\"");
  EXPECT_EQ(to_triangle_mesh(solid_sample()).triangle_count(), 6);
}

TEST(MeshData, ModelsKeepTheNamesOfTheirBodies) {
  const Example example;
  const MeshData mesh = to_mesh_data(example.model);
  EXPECT_EQ(mesh.tet_groups, (Groups{{"two tets", {0, 1}}}));
  EXPECT_EQ(mesh.triangle_groups.at("cloth"), (std::vector<int>{6}));
  EXPECT_EQ(mesh.edge_groups.at("rope"), (std::vector<int>{2}));
}

TEST(Frames, EveryFormatThatCanHoldsThem) {
  Example example;
  for (double& x : example.state.q)
    x = std::abs(x) < 1e30 && std::abs(x) > 1e-30 ? x : 0.5;  // floats have to hold it
  for (const auto& [name, plugin] : registry<FormatPlugin>()) {
    if (!can_write_frames(plugin)) continue;
    const MeshData back = read_as(name, frame_contents(plugin, example.frame()));
    EXPECT_GT(back.vertex_count(), 4) << name;
    EXPECT_GT(back.tet_count() + back.triangle_count(), 1) << name;
  }
}

TEST(Base64, EveryLength) {
  std::string bytes;
  for (int n = 0; n < 70; ++n, bytes += static_cast<char>(37 * n)) {
    const std::string text = base64(bytes);
    std::size_t used = 0;
    EXPECT_EQ(base64_prefix(text, bytes.size(), used), bytes);
    EXPECT_EQ(used, text.size());
    EXPECT_EQ(base64_prefix(text, bytes.size() + 3, used), std::nullopt);
  }
  std::size_t used = 0;
  EXPECT_EQ(base64_prefix("ab$d", 3, used), std::nullopt);
  EXPECT_EQ(base64_prefix("a===", 1, used), std::nullopt);
}

TEST(PositionSpool, FramesComeBackAfterAnInterruption) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.positions");
  {
    PositionSpool spool(path, 2);
    for (int i = 0; i < 5; ++i) spool.append(10 * i, 0.1 * i, std::vector<double>(6, i));
    EXPECT_EQ(spool.count(), 5);
    EXPECT_EQ(spool.positions(3), std::vector<double>(6, 3));
  }
  write_file(path, slurp(path).substr(0, slurp(path).size() - 1));  // the last record is cut
  {
    PositionSpool spool(path, 2, [](std::int64_t) { return true; });
    EXPECT_EQ(spool.count(), 4);
  }
  PositionSpool spool(path, 2, [](std::int64_t frame) { return frame <= 20; });  // resumed after frame 20
  EXPECT_EQ(spool.count(), 3);
  spool.append(30, 0.35, std::vector<double>(6, 33));
  EXPECT_EQ(spool.times(), (std::vector<double>{0, 0.1, 0.2, 0.35}));
  EXPECT_EQ(spool.positions(3), std::vector<double>(6, 33));
  EXPECT_EQ(spool.positions(1), std::vector<double>(6, 1));
  EXPECT_EQ(spool.first_frame(), 0);
  EXPECT_EQ(spool.last_frame(), 30);
  spool.remove();
  EXPECT_EQ(folder.count(), 0);
}

// ---- the files of $RESILIN_MESHES, with the counts of their README

struct RealFile {
  const char* name;
  int vertices, tets, triangles;
};

TEST(RealMeshes, LoadWithTheirCounts) {
  const char* folder = std::getenv("RESILIN_MESHES");
  if (folder == nullptr) GTEST_SKIP() << "RESILIN_MESHES is not set";
  const RealFile files[] = {{"armadillo_13k_gmsh41.msh", 13230, 54985, 0},
                            {"armadillo_15k_base1.node", 14779, 54855, 0},
                            {"armadillo_15k_base1.ele", 14779, 54855, 0},
                            {"armadillo_1k.vtu", 1446, 4406, 0},
                            {"bunny_19k_gmsh22.msh", 19193, 79935, 0},
                            {"bunny_2k_slivers.mesh", 2531, 8121, 5058},
                            {"dinosaur_13k_gmsh22_binary.msh", 13270, 49973, 0},
                            {"elephant_7k_gmsh41.msh", 7008, 24953, 0},
                            {"microstructure_inverted_gmsh41.msh", 1585, 6414, 0},
                            {"turtle_heterogeneous.veg", 347, 1185, 0},
                            {"two_material_cubes_gmsh22.msh", 7714, 32981, 0},
                            {"armadillo_surface.obj", 14587, 0, 29170},
                            {"spot_surface.obj", 11533, 0, 23062},
                            {"tablecloth_14k.obj", 14161, 0, 27848},
                            {"two_cubes_intersecting_binary_le.ply", 262, 0, 480}};
  for (const RealFile& file : files) {
    const MeshData mesh = read_mesh(std::string(folder) + "/" + file.name);
    EXPECT_EQ(broken_promise(mesh), "") << file.name;
    EXPECT_EQ(mesh.vertex_count(), file.vertices) << file.name;
    EXPECT_EQ(mesh.tet_count(), file.tets) << file.name;
    EXPECT_EQ(mesh.triangle_count(), file.triangles) << file.name;
    if (file.tets == 0) continue;
    const TetMesh solid = to_tet_mesh(mesh, file.name);
    int negative = 0;
    for (int t = 0; t < file.tets; ++t) negative += tet_volume(solid, t) <= 0 ? 1 : 0;
    EXPECT_EQ(negative, std::string(file.name).starts_with("microstructure") ? 8 : 0) << file.name;
  }
  const MeshData cubes = read_mesh(std::string(folder) + "/two_material_cubes_gmsh22.msh");
  EXPECT_EQ(cubes.tet_groups.size(), 3u);
  EXPECT_TRUE(cubes.tet_groups.contains("physical_3"));
  const MeshData turtle = read_mesh(std::string(folder) + "/turtle_heterogeneous.veg");
  EXPECT_EQ(turtle.materials.size(), 2u);
  EXPECT_EQ(turtle.notes.size(), 2u);  // its sets are in files that were not published with it
}

TEST(RealMeshes, TheDamagedOneIsRefusedWithItsReason) {
  const char* folder = std::getenv("RESILIN_MESHES");
  if (folder == nullptr) GTEST_SKIP() << "RESILIN_MESHES is not set";
  says(input_error([&] { read_mesh(std::string(folder) + "/armadillo_1k_broken.vtu"); }),
       "armadillo_1k_broken.vtu:5: the points have 4338 coordinates, but NumberOfPoints=\"1445\" needs 4335");
}

// How finite-element tools mark what is held: a physical surface or curve.
TEST(ToTetMesh, MarkedSurfacesAndCurvesSelectVerticesAndTets) {
  MeshData mesh = sample();
  mesh.edge_groups = {{"rim", {0}}};
  mesh.edges = {3, 4};
  const TetMesh solid = to_tet_mesh(mesh, "sample");
  EXPECT_EQ(solid.vertex_groups.at("skin"), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(solid.vertex_groups.at("rim"), (std::vector<int>{3, 4}));
  EXPECT_EQ(solid.vertex_groups.at("held"), (std::vector<int>{0, 3})) << "the file's own";
  EXPECT_EQ(solid.element_groups.at("skin"), (std::vector<int>{0}));
  EXPECT_EQ(solid.element_groups.at("rim"), (std::vector<int>{1}));
  EXPECT_EQ(solid.element_groups.at("all"), (std::vector<int>{0, 1}));
  // Through a file of Gmsh.
  const TetMesh again = to_tet_mesh(read_back("a.msh", write_mesh("a.msh", mesh)), "a.msh");
  EXPECT_EQ(again.vertex_groups.at("skin"), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(again.vertex_groups.at("rim"), (std::vector<int>{3, 4}));
}

}  // namespace
}  // namespace resilin::test
