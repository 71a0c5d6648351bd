#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

TEST(Tetgen, CountsFromZeroOrOne) {
  for (const char* name : {"tetgen/base0.node", "tetgen/base1.node"}) {
    const MeshData mesh = read_as("tetgen", seed(name));
    EXPECT_EQ(mesh.vertex_count(), 5) << name;
    EXPECT_EQ(mesh.tets, (std::vector<int>{0, 1, 2, 3, 1, 4, 2, 3})) << name;
    EXPECT_EQ(mesh.tet_groups, (Groups{{"region_1", {0}}, {"region_2", {1}}})) << name;
    EXPECT_EQ(mesh.vertex_groups, (Groups{{"marker_1", {1, 3}}})) << name;
  }
}

TEST(Tetgen, EitherFileFindsTheOther) {
  const TemporaryFolder folder;
  const std::string both = seed("tetgen/base1.node");
  const std::size_t cut = both.find("-----\n");
  write_file(folder.file("a.node"), both.substr(0, cut));
  EXPECT_EQ(read_mesh(folder.file("a.node")).tet_count(), 0);  // vertices only, with a note
  EXPECT_EQ(read_mesh(folder.file("a.node")).notes.size(), 1u);
  write_file(folder.file("a.ele"), both.substr(cut + 6));
  EXPECT_EQ(read_mesh(folder.file("a.node")).tet_count(), 2);
  EXPECT_EQ(read_mesh(folder.file("a.ele")).tet_count(), 2);
  write_file(folder.file("b.ele"), both.substr(cut + 6));
  says(input_error([&] { read_mesh(folder.file("b.ele")); }), "there is no b.node beside it");
}

TEST(Tetgen, MarkedFacetsAreGroupsOfTrianglesAndOfVertices) {
  const TemporaryFolder folder;
  const std::string both = seed("tetgen/base1.node");
  const std::size_t cut = both.find("-----\n");
  write_file(folder.file("a.node"), both.substr(0, cut));
  write_file(folder.file("a.ele"), both.substr(cut + 6));
  write_file(folder.file("a.face"), "# made by tetgen -nn\n3 1\n1 1 3 2 7 1 -1\n2 1 2 4 0 1 -1\n3 2 3 5 -2 2 -1\n");
  const MeshData mesh = read_mesh(folder.file("a.ele"));
  EXPECT_EQ(mesh.triangles, (std::vector<int>{0, 2, 1, 1, 2, 4}))
      << "those without a marker are known from the tets";
  EXPECT_EQ(mesh.triangle_groups, (Groups{{"facet_7", {0}}, {"facet_-2", {1}}}));
  EXPECT_EQ(to_tet_mesh(mesh, "a").vertex_groups.at("facet_7"), (std::vector<int>{0, 1, 2}));
  write_file(folder.file("a.face"), "1 1\n1 1 3 9 7\n");
  says(input_error([&] { read_mesh(folder.file("a.node")); }), "facet 1 names vertex 9: there are 1 to 5");
}

TEST(Tetgen, Refuses) {
  const std::string text = seed("tetgen/base1.node");
  const auto error = [](const std::string& input) { return input_error([&] { read_as("tetgen", input); }); };
  says(error(replaced(text, "1 1 2 3 4 1", "1 1 2 3 0 1")), "tet 1 names vertex 0: there are 1 to 5");
  says(error(replaced(text, "2 4 1", "2 10 1")), "2 tets are announced");
  says(error(replaced(text, "2 4 1", "2 8 1")), "4 or 10 are expected");
  says(error(replaced(text, "5 3 1 1", "5 2 1 1")), "2 dimensions");
  says(error(replaced(text, "5 3 1 1", "4 3 1 1")), "goes on after the 4 announced");
  EXPECT_EQ(error(replaced(text, "\n3 0.0", "\n4 0.0")).where(), "input.node:5");
}

}  // namespace
}  // namespace resilin::test
