#include "potentials/rubber_checks.h"

namespace resilin {
MaterialPlugin material_arruda_boyce();
namespace {

const MaterialPlugin plugin = material_arruda_boyce();

Settings settings(double mu, double locking, double bulk) {
  return read_settings(plugin, {{"mu", mu}, {"locking", locking}, {"bulk", bulk}});
}

// Arruda and Boyce 1993: W in powers of I1, and the shear modulus at rest of n = 1.
TEST(ArrudaBoyce, SeriesOfAnIncompressibleBar) {
  const double m = 2.8, m2 = m * m, m4 = m2 * m2;
  const double rest = 1 + 3 / (5 * m2) + 99 / (175 * m4) + 513 / (875 * m4 * m2) + 42039 / (67375 * m4 * m4);
  const double n = 3 / rest;
  for (const double l : {0.5, 0.9, 1.5, 4.0}) {
    const double i = l * l + 2 / l;
    const double w1 = n * (1.0 / 2 + i / (10 * m2) + 11 * i * i / (350 * m4) + 19 * i * i * i / (1750 * m4 * m2) +
                           519 * std::pow(i, 4) / (134750 * m4 * m4));
    const double stress = 2 * w1 * (l - 1 / (l * l));
    EXPECT_NEAR(bar_stress(plugin, settings(3, m, 50), l), stress, 1e-12 * std::abs(stress)) << l;
  }
  const double i = 5.25;  // stretches 2, 1/2, 1
  const double w =
      n * ((i - 3) / 2 + (i * i - 9) / (20 * m2) + 11 * (std::pow(i, 3) - 27) / (1050 * m4) +
           19 * (std::pow(i, 4) - 81) / (7000 * m4 * m2) + 519 * (std::pow(i, 5) - 243) / (673750 * m4 * m4));
  EXPECT_NEAR(plugin.energy(settings(3, m, 50))({2, 0.5, 1}).psi, w, 1e-12 * w);
}

// The series is one of the inverse Langevin function: far from the limit it is the force of a chain of that many
// links.
TEST(ArrudaBoyce, ForceOfAChain) {
  const double m = 6, l = 2, chain = std::sqrt((l * l + 2 / l) / 3);
  const auto force = [&](double stretch) {  // b with coth b - 1/b = stretch/m
    double b = 3 * stretch / m;
    for (int i = 0; i < 50; ++i)
      b -= (1 / std::tanh(b) - 1 / b - stretch / m) / (1 / (b * b) - 1 / std::pow(std::sinh(b), 2));
    return b / stretch;
  };
  const double stress = 3 * force(chain) / force(1) * (l - 1 / (l * l));
  EXPECT_NEAR(bar_stress(plugin, settings(3, m, 50), l), stress, 1e-4 * stress);
}

TEST(ArrudaBoyce, ModuliAtRest) {
  check_moduli_at_rest(plugin, settings(3, 2.8, 50), 3, 50);
  check_moduli_at_rest(plugin, settings(3, 1.1, 0.1), 3, 0.1);
}

TEST(ArrudaBoyce, InvertedElementIsPushedBack) { check_pushed_back(plugin, read_settings(plugin)); }

}  // namespace
}  // namespace resilin
