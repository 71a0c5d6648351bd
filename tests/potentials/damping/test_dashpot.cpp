#include "potentials/damping/damping_checks.h"

namespace resilin::test {
namespace {

TEST(Dashpot, KeepsThePromisesOfDamping) {
  check_all({.type = "dashpot", .params = {{"coefficient", 2.0}}, .conserves = true});
  check_all(
      {.type = "dashpot", .params = {{"coefficient", 2.0}, {"power", 0.5}, {"smoothing", 0.1}}, .conserves = true});
}

TEST(Dashpot, ResistsChangesOfLengthOnly) {
  DampingProbe probe("dashpot", {{"coefficient", 2.0}});
  const double z[3] = {0, 3, 0}, across[3] = {1, 0, 2}, along[3] = {0, 2, 0};
  EXPECT_EQ(probe.rate(z, across, nullptr, nullptr), 0);
  EXPECT_DOUBLE_EQ(probe.rate(z, along, nullptr, nullptr), 4);
}

}  // namespace
}  // namespace resilin::test
