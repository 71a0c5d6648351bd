#include "io/animation_sample.h"

namespace resilin::test {
namespace {

TEST(Mdd, IsBigEndianWithTimes) {
  const std::string file = format("mdd").write_sequence(animation());
  EXPECT_EQ(value_at<int>(file, 0, true), 3);
  EXPECT_EQ(value_at<int>(file, 4, true), 6);
  EXPECT_EQ(value_at<float>(file, 8 + 4, true), 0.5f);
  ASSERT_EQ(file.size(), 8u + 3 * 4 + 3 * 6 * 12);
  EXPECT_EQ(value_at<float>(file, 8 + 12 + 12 * (2 * 6 + 1), true), 3.0f);  // frame 2, vertex 1: x = 1 + 2
}

}  // namespace
}  // namespace resilin::test
