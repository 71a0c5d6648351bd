// The archive itself is checked by Python's zipfile in tests/cli/test_convert.py.
#include "io/animation_sample.h"

namespace resilin::test {
namespace {

TEST(Npz, ArraysHaveTheirShapes) {
  const std::string file = format("npz").write_sequence(animation());
  EXPECT_TRUE(file.starts_with("PK\3\4"));
  for (const char* text : {"'descr': '<f8', 'fortran_order': False, 'shape': (3, 7, 3), }", "'shape': (3,), }",
                           "'descr': '<i4', 'fortran_order': False, 'shape': (1, 4), }"})
    EXPECT_NE(file.find(text), std::string::npos) << text;
  const std::size_t header = file.rfind("\x93NUMPY");
  const std::size_t data = header + 10 + value_at<std::uint16_t>(file, header + 8);
  EXPECT_EQ((data - header) % 64, 0u);
  EXPECT_EQ(value_at<double>(file, data + 8 * (21 + 3)), 2.0);  // frame 1, vertex 1: x = 1 + 1
}

TEST(Npz, EqualRunsGiveEqualFiles) {
  EXPECT_EQ(format("npz").write_sequence(animation()), format("npz").write_sequence(animation()));
}

}  // namespace
}  // namespace resilin::test
