#include <gtest/gtest.h>

#include "geometry/mesh_checks.h"
#include "geometry/selection.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

using Ids = std::vector<int>;

class Selection : public ::testing::Test {
 protected:
  const std::vector<double> v_{0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3};
};

TEST_F(Selection, by_region) {
  EXPECT_EQ(select_box(v_, {0, 0, 0}, {1, 1, 1}), (Ids{0, 1, 3}));
  EXPECT_EQ(select_sphere(v_, {1, 0, 0}, 1), (Ids{0, 1, 2}));
  EXPECT_EQ(select_half_space(v_, {0.5, 0, 0}, {2, 0, 0}), (Ids{1, 2}));
  EXPECT_EQ(select_half_space(v_, {0, 0, 0}, {-1, 0, 0}), (Ids{0, 3, 4}));
  EXPECT_THROW(select_half_space(v_, {0, 0, 0}, {0, 0, 0}), InputError);
  EXPECT_TRUE(select_box(v_, {5, 5, 5}, {6, 6, 6}).empty());
}

TEST_F(Selection, nearest) {
  EXPECT_EQ(select_nearest(v_, {0, 0, 9}), (Ids{4}));
  EXPECT_EQ(select_nearest(v_, {0.5, 0, 0}), (Ids{0}));  // a tie goes to the smaller id
  EXPECT_TRUE(select_nearest({}, {0, 0, 0}).empty());
}

TEST_F(Selection, by_index) {
  EXPECT_EQ(select_indices(5, Ids{4, 0, 4, 2}, "pins"), (Ids{0, 2, 4}));
  const std::string text = test::input_error([] { select_indices(5, Ids{0, 5}, "scene.json: pins[1]"); });
  EXPECT_EQ(text, "scene.json: pins[1]: vertex 5 does not exist; ids must be in 0..4");
}

}  // namespace
}  // namespace resilin
