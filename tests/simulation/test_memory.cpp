#include <gtest/gtest.h>

#include "resilin/state.h"

namespace resilin {
namespace {

// What was learnt of another model, or with another step, does not apply any more.
TEST(Memory, ForgetsWhatWasMadeOfSomethingElse) {
  Memory memory;
  EXPECT_EQ(memory.find("solver.pairs", 1), nullptr);
  memory.keep("solver.pairs", 1) = {3, 4};
  EXPECT_EQ(memory.keep("solver.pairs", 1), (std::vector<double>{3, 4}));
  ASSERT_NE(memory.find("solver.pairs", 1), nullptr);
  EXPECT_EQ(*memory.find("solver.pairs", 1), (std::vector<double>{3, 4}));
  EXPECT_EQ(memory.find("solver.pairs", 2), nullptr);
  EXPECT_EQ(memory.find("solver", 1), nullptr);
  EXPECT_TRUE(memory.keep("solver.pairs", 2).empty());
  EXPECT_EQ(memory.find("solver.pairs", 1), nullptr) << "one of each name";
}

}  // namespace
}  // namespace resilin
