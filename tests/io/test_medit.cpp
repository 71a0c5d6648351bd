#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

TEST(Medit, SectionsMayComeInAnyOrder) {
  const MeshData mesh = read_back("a.mesh", seed("medit/two.mesh"));
  EXPECT_EQ(mesh.vertex_count(), 5);
  EXPECT_EQ(mesh.tets, (std::vector<int>{0, 1, 2, 3, 1, 4, 2, 3}));
  EXPECT_EQ(mesh.tet_groups, (Groups{{"ref_1", {0}}, {"ref_2", {1}}}));
  EXPECT_EQ(mesh.triangle_count(), 6);
}

TEST(Medit, WritesWhatItReads) {
  const MeshData mesh = sample(), back = read_back("a.mesh", write_mesh("a.mesh", mesh));
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.tets, mesh.tets);
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_EQ(back.edges, mesh.edges);
  EXPECT_EQ(back.tet_groups, (Groups{{"ref_1", {1}}, {"ref_2", {0}}}));  // "all", "all+soft part"
}

TEST(Medit, Refuses) {
  const std::string text = seed("medit/two.mesh");
  says(refusal("a.mesh", replaced(text, "1 2 3 4 1", "1 2 3 9 1")),
       "Tetrahedra 1 names vertex 9: there are 1 to 5");
  says(refusal("a.mesh", replaced(text, "Tetrahedra", "Hexahedra")), "Hexahedra");
  says(refusal("a.mesh", replaced(text, "Dimension\n3", "Dimension\n2")), "2 dimensions");
  says(refusal("a.mesh", replaced(text, "Vertices 5", "Vertices 5000000")), "5000000 vertices are announced");
  says(refusal("a.mesh", replaced(text, "0.25", "inf")), "not finite");
  says(refusal("a.meshb", std::string("\1\0\0\0\2\0\0\0", 8)), "binary MEDIT");
}

}  // namespace
}  // namespace resilin::test
