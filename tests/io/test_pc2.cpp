#include "io/animation_sample.h"

namespace resilin::test {
namespace {

TEST(Pc2, HoldsTheDrawnVerticesOfEveryFrame) {
  const std::string file = format("pc2").write_sequence(animation());
  EXPECT_EQ(file.substr(0, 12), std::string("POINTCACHE2\0", 12));
  EXPECT_EQ(value_at<int>(file, 12), 1);
  EXPECT_EQ(value_at<int>(file, 16), 6);
  EXPECT_EQ(value_at<int>(file, 28), 3);
  ASSERT_EQ(file.size(), 32u + 3 * 6 * 12);
  EXPECT_EQ(value_at<float>(file, 32 + 12 * (6 + 1)), 2.0f);  // frame 1, vertex 1: x = 1 + 1
  EXPECT_EQ(value_at<float>(file, 32 + 12 * 4), 2.0f);        // frame 0, the rope's first vertex
}

TEST(Pc2, FitsTheObjBesideIt) {
  const std::string base = format("pc2").base_format;
  ASSERT_EQ(base, "obj");
  EXPECT_EQ(read_back("a.obj", format(base).write(animation().mesh, {})).vertex_count(), 6);
}

}  // namespace
}  // namespace resilin::test
