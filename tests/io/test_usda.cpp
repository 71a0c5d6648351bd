#include "io/animation_sample.h"

namespace resilin::test {
namespace {

TEST(Usda, AMeshPerBodyWithTimeSamples) {
  const std::string file = format("usda").write_sequence(animation());
  EXPECT_TRUE(file.starts_with("#usda 1.0\n"));
  for (const char* text : {"def Mesh \"tet\"", "def BasisCurves \"rope\"", "faceVertexCounts = [3, 3, 3, 3]",
                           "timeCodesPerSecond = 2\n", "endTimeCode = 2\n", "1: [(1, 1, 1), (2, 1, 1)",
                           "doubleSided = 1", "1: [(1, 1, 1), (2, 2, 2)]", "upAxis = \"Y\""})
    EXPECT_NE(file.find(text), std::string::npos) << text;
  EXPECT_EQ(std::count(file.begin(), file.end(), '{'), std::count(file.begin(), file.end(), '}'));
}

TEST(Usda, NamesAreIdentifiersAndDiffer) {
  MeshData mesh = sample();
  mesh.triangle_groups = {{"a b", {0}}, {"a-b", {1}}, {"2", {2}}};
  const std::string file = write_mesh("a.usda", mesh);
  for (const char* text : {"\"a_b\"", "\"a_b_2\"", "\"_2\""}) EXPECT_NE(file.find(text), std::string::npos) << text;
  EXPECT_EQ(file.find("timeSamples"), std::string::npos);
}

}  // namespace
}  // namespace resilin::test
