#include "potentials/damping/damping_checks.h"

namespace resilin::test {
namespace {

TEST(PrincipalStrain, KeepsThePromisesOfDamping) {
  check_all({.type = "principal_strain", .params = {{"beta", 0.01}}, .conserves = true});
}

TEST(PrincipalStrain, IgnoresSpinAndTurningAxes) {
  DampingProbe probe("principal_strain", {{"beta", 0.01}});
  const double z[9] = {1.3, 0, 0, 0, 1.2, 0, 0, 0, 1.1}, spin[9] = {0, 1.3, 0, -1.2, 0, 0, 0, 0, 0},
               shear[9] = {0, 1, 0, 1, 0, 0, 0, 0, 0};
  EXPECT_NEAR(probe.rate(z, spin, nullptr, nullptr), 0, 1e-12);
  EXPECT_NEAR(probe.rate(z, shear, nullptr, nullptr), 0, 1e-12);
}

}  // namespace
}  // namespace resilin::test
