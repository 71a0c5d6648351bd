#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

TEST(Vtk, AllVariantsHoldTheSameMesh) {
  for (const char* name : {"vtk/ascii.vtk", "vtk/binary.vtk", "vtk/v51.vtk"}) {
    const MeshData mesh = read_back("a.vtk", seed(name));
    EXPECT_EQ(mesh.vertex_count(), 5) << name;
    EXPECT_EQ(mesh.vertices[11], 1.5) << name;
    EXPECT_EQ(mesh.tets, (std::vector<int>{0, 1, 2, 3, 1, 4, 2, 3})) << name;
  }
  EXPECT_EQ(read_back("a.vtk", seed("vtk/ascii.vtk")).tet_groups,
            (Groups{{"both", {0, 1}}, {"material_1", {0}}, {"material_2", {1}}}));
  EXPECT_EQ(read_back("a.vtk", seed("vtk/binary.vtk")).tet_groups,
            (Groups{{"material_1", {0}}, {"material_2", {1}}}));
  EXPECT_EQ(read_back("a.vtk", seed("vtk/polydata.vtk")).triangle_count(), 6);
}

TEST(Vtk, WritesWhatItReads) {
  const MeshData mesh = sample();
  for (const char* variant : {"", "binary", "ascii"}) {
    const MeshData back = read_back("a.vtk", write_mesh("a.vtk", mesh, {variant}));
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.tets, mesh.tets);
    EXPECT_EQ(back.triangles, mesh.triangles);
    EXPECT_EQ(back.edges, mesh.edges);
    EXPECT_EQ(back.tet_groups, (Groups{{"all", {0, 1}}, {"soft_part", {0}}}));  // names are one word
    EXPECT_EQ(back.vertex_groups, mesh.vertex_groups);
  }
}

TEST(Vtk, Refuses) {
  const std::string text = seed("vtk/ascii.vtk");
  says(refusal("a.vtk", replaced(text, "UNSTRUCTURED_GRID", "STRUCTURED_GRID")), "structured_grid");
  says(refusal("a.vtk", replaced(text, "CELL_TYPES 2\n10", "CELL_TYPES 2\n12")), "hexahedron");
  says(refusal("a.vtk", replaced(text, "CELL_TYPES 2\n10", "CELL_TYPES 2\n24")),
       "cell 0 is a quadratic tetra of 4 points");
  says(refusal("a.vtk", replaced(text, "4 0 1 2 3", "4 0 1 2 5")), "cell 0 names point 5: there are 0 to 4");
  says(refusal("a.vtk", replaced(text, "4 0 1 2 3", "9 0 1 2 3")), "list");
  says(refusal("a.vtk", replaced(text, "POINTS 5", "POINTS 900000000")), "announced");
}

}  // namespace
}  // namespace resilin::test
