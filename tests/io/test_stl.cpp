#include "io/mesh_samples.h"

namespace resilin::test {
namespace {

TEST(Stl, CornersAreWelded) {
  for (const char* name : {"stl/ascii.stl", "stl/binary.stl"}) {
    const MeshData mesh = read_back("a.stl", seed(name));
    EXPECT_EQ(mesh.vertex_count(), 5) << name;
    EXPECT_EQ(mesh.triangle_count(), 6) << name;
  }
}

TEST(Stl, ABinaryFileMayBeginWithSolid) {
  std::string text = seed("stl/binary.stl");
  text.replace(0, 5, "solid");
  EXPECT_EQ(read_back("a.stl", text).triangle_count(), 6);
}

TEST(Stl, WritesWhatItReadsAsFloats) {
  const MeshData mesh = sample(), back = read_back("a.stl", write_mesh("a.stl", mesh));
  ASSERT_EQ(back.triangles.size(), mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(back.vertices[3 * static_cast<std::size_t>(back.triangles[i]) + k],
                static_cast<double>(
                    static_cast<float>(mesh.vertices[3 * static_cast<std::size_t>(mesh.triangles[i]) + k])));
}

TEST(Stl, Refuses) {
  says(refusal("a.stl", seed("stl/binary.stl").substr(0, 200)), "6 facets are announced");
  EXPECT_EQ(refusal("a.stl", replaced(seed("stl/ascii.stl"), "vertex 0.0", "vertex nan")).where(), "a.stl:4");
  says(refusal("a.stl", replaced(seed("stl/ascii.stl"), "endloop", "end")), "\"endloop\" is expected");
  says(refusal("a.stl", "solid nothing\nendsolid\n"), "no facet");
}

}  // namespace
}  // namespace resilin::test
