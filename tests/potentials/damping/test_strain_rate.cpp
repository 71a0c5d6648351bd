#include "potentials/damping/damping_checks.h"

namespace resilin::test {
namespace {

TEST(StrainRate, KeepsThePromisesOfDamping) {
  check_all({.type = "strain_rate", .params = {{"shear", 3.0}, {"bulk", 2.0}}, .conserves = true});
  check_all(
      {.type = "strain_rate", .params = {{"shear", 3.0}, {"bulk", 2.0}, {"order", "second"}}, .conserves = true});
}

// At rest E' is the symmetric part of F': R = psi |E'|^2 + phi/2 tr^2.
TEST(StrainRate, HasItsClosedFormAtRest) {
  DampingProbe probe("strain_rate", {{"shear", 3.0}, {"bulk", 2.0}});
  const double z[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, stretch[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0},
               shear[9] = {0, 2, 0, 0, 0, 0, 0, 0, 0}, spin[9] = {0, 1, 0, -1, 0, 0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(probe.rate(z, stretch, nullptr, nullptr), 3 * 4 + 1 * 4);
  EXPECT_DOUBLE_EQ(probe.rate(z, shear, nullptr, nullptr), 3 * 2);
  EXPECT_EQ(probe.rate(z, spin, nullptr, nullptr), 0);
}

// R is quadratic in rates: dR/dz' = H z'.
TEST(StrainRate, ItsCurvatureIsThatOfItsForce) {
  DampingProbe probe("strain_rate", {{"shear", 3.0}, {"bulk", 2.0}});
  Random random(5);
  double z[9], w[9], by_z[9], by_rate[9], h[81];
  draw_state({}, 9, random, z, w);
  probe.rate(z, w, by_z, by_rate);
  probe.curvature(z, w, h);
  for (int i = 0; i < 9; ++i) {
    double product = 0;
    for (int j = 0; j < 9; ++j) product += h[9 * i + j] * w[j];
    EXPECT_NEAR(product, by_rate[i], 1e-12 * (1 + std::abs(by_rate[i]))) << i;
  }
}

}  // namespace
}  // namespace resilin::test
