// What surface formats show: everything that can be seen, whatever triangles the file happens to name.
#include <set>

#include "io/animation_sample.h"
#include "io/drawn.h"

namespace resilin::test {
namespace {

// A tet with its triangles, and one without.
MeshData two_bodies() {
  MeshData mesh = animation(1).mesh;
  mesh.edges.clear(), mesh.edge_groups.clear();
  const int first = mesh.vertex_count();
  for (const double x : {4.0, 0.0, 0.0, 5.0, 0.0, 0.0, 4.0, 1.0, 0.0, 4.0, 0.0, 1.0}) mesh.vertices.push_back(x);
  for (int k = 0; k < 4; ++k) mesh.tets.push_back(first + k);
  mesh.tet_groups["bare"] = {1};
  return mesh;
}

TEST(Drawn, ABodyOfTetsAloneIsThereBesideOneWithTriangles) {
  const MeshData mesh = two_bodies();
  EXPECT_EQ(drawn(mesh).triangle_count(), 8);
  const std::vector<Part> parts = parts_of(mesh);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "bare");
  EXPECT_EQ(parts[0].triangles.size(), 12u);
  EXPECT_EQ(parts[1].name, "tet");
  for (const char* format_name : {"obj", "stl", "ply"}) {
    const std::string file = format(format_name).write(mesh, {});
    EXPECT_EQ(read_back(std::string("a.") + format_name, file).triangle_count(), 8) << format_name;
  }
  for (const char* format_name : {"usda", "glb"})
    EXPECT_NE(format(format_name).write(mesh, {}).find("\"bare\""), std::string::npos) << format_name;
}

// A box whose one named side has triangles: all sides are drawn, the named one keeps its name.
TEST(Drawn, OneNamedSideDoesNotHideTheOthers) {
  MeshData mesh = solid_sample();
  mesh.triangles = {0, 2, 1};
  mesh.triangle_groups = {{"held", {0}}};
  const MeshData shown = drawn(mesh);
  EXPECT_EQ(shown.triangle_count(), 6);
  EXPECT_EQ(shown.triangle_groups.at("held"), std::vector<int>{0});
  EXPECT_EQ(shown.triangle_groups.at("all").size(), 5u);
  std::set<std::set<int>> faces;
  for (std::size_t t = 0; t < shown.triangles.size(); t += 3)
    faces.insert({shown.triangles[t], shown.triangles[t + 1], shown.triangles[t + 2]});
  EXPECT_EQ(faces.size(), 6u) << "none twice";
}

// A skin that the tets carry is drawn in their place.
TEST(Drawn, CarriersOfASurfaceStayHidden) {
  MeshData mesh = solid_sample();
  const int first = mesh.vertex_count();
  for (const double x : {0.1, 0.1, 0.1, 0.2, 0.1, 0.1, 0.1, 0.2, 0.1}) mesh.vertices.push_back(x);
  mesh.tet_groups = {{"body", {0, 1}}};
  mesh.triangles = {first, first + 1, first + 2};
  mesh.triangle_groups = {{"body", {0}}};
  EXPECT_EQ(drawn(mesh).triangle_count(), 1);
  EXPECT_EQ(drawn(mesh).vertex_count(), 3);
}

TEST(Drawn, FormatsSayWhatTheyHold) {
  MeshData mesh = animation(1).mesh;  // a tet and a rope
  EXPECT_EQ(format("obj").written(mesh).edge_count(), 1);
  EXPECT_EQ(format("glb").written(mesh).edge_count(), 1);
  EXPECT_EQ(format("ply").written(mesh).edge_count(), 0);
  EXPECT_EQ(format("ply").write(mesh, {}).find("element edge"), std::string::npos);
  EXPECT_EQ(format("stl").written(mesh).edge_count(), 0);
  EXPECT_EQ(format("usda").written(mesh).triangle_count(), 4);
  mesh.triangles.clear(), mesh.tets.clear(), mesh.triangle_groups.clear(), mesh.tet_groups.clear();
  EXPECT_NE(format("ply").write(mesh, {}).find("element edge 1"), std::string::npos);
  says(input_error([&] { format("stl").write(mesh, {}); }), "no surface");
}

TEST(Drawn, ObjHasNoGroupWithoutAName) {
  MeshData mesh = sample();
  const std::string file = format("obj").write(mesh, {});
  EXPECT_EQ(file.find("g \n"), std::string::npos);
  EXPECT_EQ(file.find("g\n"), std::string::npos);
  const MeshData back = read_back("a.obj", file);
  EXPECT_FALSE(back.triangle_groups.contains("default"));
  EXPECT_EQ(back.triangle_groups.at("skin").size(), 3u);
}

}  // namespace
}  // namespace resilin::test
