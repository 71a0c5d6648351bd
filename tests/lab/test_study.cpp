#include <gtest/gtest.h>

#include "lab/bar_scenes.h"

namespace resilin::lab {
namespace {

// A bar that bends under its weight: the smooth motion that A charges too much for.
TEST(Study, TwoLevelsNeedFewerIterationsWhereThingsBend) {
  const std::vector<Method> methods = {{"paper", "quasi_newton", {}},
                                       {"two-level", "quasi_newton", {{"coarse_modes", 5}}}};
  const auto result = needed({.scene = "drop"}, methods, {.frames = 6, .every = 3, .repeat = 1});
  EXPECT_EQ(result[1].missed[1], 0);
  EXPECT_LT(1.5 * result[1].iterations[1], result[0].iterations[1]);
}

}  // namespace
}  // namespace resilin::lab
