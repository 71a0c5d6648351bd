#include <gtest/gtest.h>

#include "../apps/command/cpu_check.h"

namespace resilin::cli {
namespace {

constexpr CpuFeatures everything{true, true, true, true, true};

TEST(CpuCheck, WhatIsThereIsEnough) {
  for (const int bits : {128, 256, 512}) EXPECT_EQ(missing_feature(bits, everything), nullptr) << bits;
  EXPECT_EQ(missing_feature(128, {}), nullptr);
  EXPECT_EQ(missing_feature(256, {true, true, false, false, false}), nullptr);
}

TEST(CpuCheck, WhatIsMissingIsNamed) {
  EXPECT_STREQ(missing_feature(256, {}), "AVX2");
  EXPECT_STREQ(missing_feature(256, {true, false, true, true, true}), "FMA");
  EXPECT_STREQ(missing_feature(512, {true, true, false, false, false}), "AVX-512F");
  EXPECT_STREQ(missing_feature(512, {true, true, true, false, true}), "AVX-512DQ");
  EXPECT_STREQ(missing_feature(512, {true, true, true, true, false}), "AVX-512VL");
}

}  // namespace
}  // namespace resilin::cli
