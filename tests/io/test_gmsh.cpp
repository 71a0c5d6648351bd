#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

TEST(Gmsh, AllVariantsHoldTheSameMesh) {
  const MeshData expected = read_back("a.msh", seed("gmsh/v22_little.msh"));
  EXPECT_EQ(expected.tets, (std::vector<int>{0, 1, 2, 3, 1, 4, 2, 3}));
  EXPECT_EQ(expected.tet_groups, (Groups{{"soft", {0}}, {"hard", {1}}}));
  for (const char* name : {"v22", "v22_big", "v41", "v41_little", "v41_big"}) {
    const MeshData mesh = read_back("a.msh", seed(std::string("gmsh/") + name + ".msh"));
    EXPECT_EQ(mesh.vertices, expected.vertices) << name;
    EXPECT_EQ(mesh.tets, expected.tets) << name;
    EXPECT_EQ(mesh.tet_groups, expected.tet_groups) << name;
  }
}

TEST(Gmsh, WritesWhatItReads) {
  const MeshData mesh = sample();
  const MeshData back = read_back("a.msh", write_mesh("a.msh", mesh));
  EXPECT_EQ(back.vertices, mesh.vertices);
  EXPECT_EQ(back.tets, mesh.tets);
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_EQ(back.edges, mesh.edges);
  EXPECT_EQ(back.tet_groups, mesh.tet_groups);
  EXPECT_EQ(back.triangle_groups, mesh.triangle_groups);
  EXPECT_EQ(back.vertex_groups, mesh.vertex_groups);
}

TEST(Gmsh, Version22NumbersSetsOfGroups) {
  const MeshData back = read_back("a.msh", write_mesh("a.msh", sample(), {"2.2"}));
  EXPECT_EQ(back.tets, sample().tets);
  EXPECT_EQ(back.tet_groups, (Groups{{"all", {1}}, {"all+soft part", {0}}}));
}

TEST(Gmsh, ElementsThatAnnounceTagsButHaveNone) {
  const std::string text = replaced(replaced(seed("gmsh/v22.msh"), "2 4 2 1 1 1 2 3 4", "2 4 2 1 2 3 4"),
                                    "3 4 2 2 1 2 5 3 4", "3 4 2 2 5 3 4");
  const MeshData mesh = read_back("a.msh", text);
  EXPECT_EQ(mesh.tets, (std::vector<int>{0, 1, 2, 3, 1, 4, 2, 3}));
  EXPECT_EQ(mesh.notes.size(), 1u);
}

TEST(Gmsh, HigherOrderIsRefusedOrMadeLinear) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
  for (int i = 1; i <= 10; ++i)
    text += std::to_string(i) + (i == 2 ? " 1 0 0\n" : i == 3 ? " 0 1 0\n" : i == 4 ? " 0 0 1\n" : " 0 0 0\n");
  text += "$EndNodes\n$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
  says(refusal("a.msh", text), "tet of order 2");
  says(refusal("a.msh", text), "--linearise");
  const MeshData mesh = read_back("a.msh", text, {.linearise = true});
  EXPECT_EQ(mesh.vertex_count(), 4);
  EXPECT_EQ(mesh.tets, (std::vector<int>{0, 1, 2, 3}));
}

TEST(Gmsh, RefusesWithTheLine) {
  const std::string text = seed("gmsh/v22.msh");
  EXPECT_EQ(refusal("a.msh", replaced(text, "\n2 1.0", "\n2 nan")).where(), "a.msh:12");
  says(refusal("a.msh", replaced(text, "2 4 2 1 1 1 2 3 4", "2 4 2 1 1 1 2 3 99")), "element 2 names node 99");
  says(refusal("a.msh", replaced(text, "2 4 2 1 1 1 2 3 4", "2 5 2 1 1 1 2 3 4")), "hexahedron");
  says(refusal("a.msh", replaced(text, "$Nodes\n5", "$Nodes\n500000000")), "500000000 nodes are announced");
  says(refusal("a.msh", replaced(text, "2.2 0 8", "4.0 0 8")), "save as 4.1 or 2.2");
  says(refusal("a.msh", replaced(seed("gmsh/v41.msh"), "2 5 1 50", "2 6 1 50")), "6 nodes were announced");
  says(refusal("a.msh", seed("gmsh/v41_little.msh").substr(0, 300)), "byte 300");
}

}  // namespace
}  // namespace resilin::test
