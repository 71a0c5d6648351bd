#include "potentials/rubber_checks.h"

namespace resilin {
MaterialPlugin material_gent();
MaterialPlugin material_neo_hookean();
namespace {

const MaterialPlugin plugin = material_gent();

Settings settings(double mu, double jm, double bulk) {
  return read_settings(plugin, {{"mu", mu}, {"jm", jm}, {"bulk", bulk}});
}

// Gent 1996: mu jm/(jm - I1 + 3) (l - 1/l^2). The limit of jm = 30 is l = 5.73.
TEST(Gent, IncompressibleBar) {
  for (const double l : {0.5, 0.9, 1.5, 4.0, 5.5}) {
    const double stress = 3 * 30 / (33 - l * l - 2 / l) * (l - 1 / (l * l));
    EXPECT_NEAR(bar_stress(plugin, settings(3, 30, 50), l), stress, 1e-12 * std::abs(stress)) << l;
  }
}

TEST(Gent, ModuliAtRest) {
  check_moduli_at_rest(plugin, settings(3, 30, 50), 3, 50);
  check_moduli_at_rest(plugin, settings(3, 0.4, 0.1), 3, 0.1);
}

TEST(Gent, FarFromTheLimitIsNeoHookean) {
  const MaterialPlugin neo_hookean = material_neo_hookean();
  const Settings other = read_settings(neo_hookean, {{"mu", 3.0}, {"lambda", 7.0}});
  const Stretches s = {1.3, 0.9, 0.7};
  const auto a = plugin.energy(settings(3, 1e8, 9))(s), b = neo_hookean.energy(other)(s);
  EXPECT_NEAR(a.psi, b.psi, 1e-6 * b.psi);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(a.h[i], b.h[i], 1e-6 * b.h[0]);
}

// Along stretches l, 1/l, 1 the volume is kept and x = (l - 1/l)^2.
TEST(Gent, GoesOnSmoothlyBeyondItsLimit) {
  const double jm = 4;
  const auto energy = plugin.energy(settings(3, jm, 50));
  const auto at = [&](double x) {
    const double l = std::sqrt(1 + x / 4) + std::sqrt(x) / 2;
    return energy({l, 1 / l, 1});
  };
  const auto below = at(0.95 * jm * (1 - 1e-12)), above = at(0.95 * jm * (1 + 1e-12));
  EXPECT_NEAR(below.psi, -1.5 * jm * std::log(0.05), 1e-8);
  EXPECT_NEAR(above.psi, below.psi, 1e-8);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(above.d[i], below.d[i], 1e-7 * below.h[0]);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(above.h[i], below.h[i], 1e-7 * below.h[0]);
  const double t = (1 - 3 - 0.05) / 0.05;  // x = 3 jm
  EXPECT_NEAR(at(3 * jm).psi, -1.5 * jm * (std::log(0.05) + t - t * t / 2), 1e-9);
  for (double x = 0.5 * jm; x < 100 * jm; x *= 2) EXPECT_GT(at(2 * x).d[0], at(x).d[0]) << x;
}

TEST(Gent, InvertedElementIsPushedBack) { check_pushed_back(plugin, read_settings(plugin)); }

}  // namespace
}  // namespace resilin
