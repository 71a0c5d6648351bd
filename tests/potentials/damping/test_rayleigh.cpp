#include "potentials/damping/damping_checks.h"

namespace resilin::test {
namespace {

TEST(Rayleigh, KeepsThePromisesOfDamping) {
  for (const char* momentum : {"off", "projection", "velocity_gradient"})
    for (const char* order : {"first", "second"})
      check_all({.type = "rayleigh",
                 .params = {{"beta", 0.01}, {"momentum", momentum}, {"order", order}},
                 .low = 1,
                 .high = 1.5,
                 .conserves = momentum != std::string("off")});
}

// In compression the stiffness has negative eigenvalues, which are cut off.
TEST(Rayleigh, KeepsThemInCompression) {
  check_all({.type = "rayleigh", .params = {{"beta", 0.01}, {"momentum", "off"}}, .low = 0.5, .high = 0.95});
  check_all({.type = "rayleigh", .params = {{"beta", 0.01}}, .low = 0.5, .high = 0.95, .conserves = true});
}

// The turn of the axes over the gap between stretches has a limit, with and without eigenvalues cut off.
TEST(Rayleigh, HasItsDerivativeAtEqualStretches) {
  DampingProbe probe("rayleigh", {{"beta", 0.01}, {"momentum", "off"}});
  Random random(31);
  for (const double size : {1.2, 0.8})
    for (const double gap : {0.0, 1e-9, 3e-5, 1e-4, 3e-4, 3e-3})
      for (const bool third : {false, true}) {
        double u[9], v[9], z[9], w[9], by_z[9];
        random.rotation(u), random.rotation(v);
        const double s[3] = {size + gap, third ? size : size + 0.15, size};
        for (int i = 0; i < 9; ++i) {
          z[i] = 0;
          for (int k = 0; k < 3; ++k) z[i] += u[3 * (i / 3) + k] * s[k] * v[3 * (i % 3) + k];
          w[i] = random.normal();
        }
        double scale = std::abs(probe.rate(z, w, by_z, nullptr));
        for (const double g : by_z) scale = std::max(scale, std::abs(g));
        for (int i = 0; i < 9; ++i) {
          const auto difference = [&](double step) {
            double up[9], down[9];
            std::copy_n(z, 9, up), std::copy_n(z, 9, down);
            up[i] += step, down[i] -= step;
            return probe.rate(up, w, nullptr, nullptr) - probe.rate(down, w, nullptr, nullptr);
          };
          // Of fourth order with a long step: eigenvalues between equal stretches are differences themselves.
          const double slope = (8 * difference(1e-3) - difference(2e-3)) / 12e-3;
          EXPECT_NEAR(slope, by_z[i], 2e-6 * scale) << size << " " << gap << " " << third << " dR/dz " << i;
        }
      }
}

// E30: K(x) (w x x) = w x grad U: torque-free only at zero stress.
TEST(Rayleigh, UncorrectedDampsTheSpinOfAStressedBody) {
  DampingProbe plain("rayleigh", {{"beta", 0.01}, {"momentum", "off"}}), corrected("rayleigh", {{"beta", 0.01}});
  const double z[9] = {1.3, 0, 0, 0, 1.2, 0, 0, 0, 1.1}, spin[9] = {0, 1.3, 0, -1.2, 0, 0, 0, 0, 0};  // z' = z W
  EXPECT_GT(plain.rate(z, spin, nullptr, nullptr), 1);
  EXPECT_NEAR(corrected.rate(z, spin, nullptr, nullptr), 0, 1e-9);
}

}  // namespace
}  // namespace resilin::test
