#include <gtest/gtest.h>

#include <vector>

#include "reduction/independent_rows.h"

namespace resilin {
namespace {

// The Gram matrix of three rows, the third of which is the sum of the others but for what has this square.
SymmetricMatrix gram(double rest) {
  const std::vector<int> offset = {0, 3}, members = {0, 1, 2};
  SymmetricMatrix out(3, 1, offset, members);
  const double values[3][3] = {{1, 0, 1}, {0, 1, 1}, {1, 1, 2 + rest}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) out.value[static_cast<std::size_t>(out.find(i, j))] = values[i][j];
  return out;
}

int kept(double rest) {
  int count = 0;
  for (const char yes : independent_rows(gram(rest), 1e-9)) count += yes;
  return count;
}

TEST(IndependentRows, WhatIsDependentButForRoundOffIsLeftOut) {
  EXPECT_EQ(kept(0), 2);
  EXPECT_EQ(kept(1e-12), 2);
  EXPECT_EQ(kept(1e-6), 3);
  EXPECT_EQ(kept(1), 3);
}

}  // namespace
}  // namespace resilin
