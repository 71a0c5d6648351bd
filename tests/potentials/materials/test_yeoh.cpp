#include "potentials/rubber_checks.h"

namespace resilin {
MaterialPlugin material_yeoh();
MaterialPlugin material_neo_hookean();
namespace {

const MaterialPlugin plugin = material_yeoh();

Settings settings(double c10, double c20, double c30, double bulk) {
  return read_settings(plugin, {{"c10", c10}, {"c20", c20}, {"c30", c30}, {"bulk", bulk}});
}

// Yeoh 1990: 2 (l - 1/l^2) (c10 + 2 c20 (I1 - 3) + 3 c30 (I1 - 3)^2).
TEST(Yeoh, IncompressibleBar) {
  const Settings s = settings(2, -0.3, 0.05, 50);
  for (const double l : {0.5, 0.9, 1.5, 4.0}) {
    const double x = l * l + 2 / l - 3, stress = 2 * (l - 1 / (l * l)) * (2 - 0.6 * x + 0.15 * x * x);
    EXPECT_NEAR(bar_stress(plugin, s, l), stress, 1e-12 * std::abs(stress)) << l;
  }
}

TEST(Yeoh, KnownValues) {
  const double l = std::log(0.5), x = 4 + 1 + 0.0625 - 3 - 2 * l, lambda = 50 - 2.0 / 3 * 4;
  const auto at = plugin.energy(settings(2, 0.3, 0.05, 50))({2, 1, 0.25});
  const double w1 = 2 + 0.6 * x + 0.15 * x * x;
  EXPECT_NEAR(at.psi, 2 * x + 0.3 * x * x + 0.05 * x * x * x + lambda / 2 * l * l, 1e-12 * at.psi);
  EXPECT_NEAR(at.d[2], 2 * w1 * (0.25 - 4) + lambda * l * 4, 1e-11);
}

TEST(Yeoh, ModuliAtRest) {
  check_moduli_at_rest(plugin, settings(2, 0.3, 0.05, 50), 4, 50);
  check_moduli_at_rest(plugin, settings(2, 30, 5, 0.1), 4, 0.1);
  EXPECT_NEAR(fitted_stiffness(plugin, {{"c10", 1.5}, {"c20", 0.0}, {"c30", 0.0}, {"bulk", 2.0}}), 3 * 2.183347,
              1e-5);
}

TEST(Yeoh, FirstTermIsNeoHookean) {
  const MaterialPlugin neo_hookean = material_neo_hookean();
  const auto one = make_potential(plugin, settings(1.5, 0, 0, 9));
  const auto other = make_potential(neo_hookean, read_settings(neo_hookean, {{"mu", 3.0}, {"lambda", 7.0}}));
  std::mt19937 rng(2);
  for (const Matrix& f : sample_matrices(rng, 50)) {
    const Evaluated a = evaluate_at(one, f, 2), b = evaluate_at(other, f, 2);
    EXPECT_NEAR(a.psi, b.psi, 1e-12 * (1 + std::abs(b.psi)));
    for (int i = 0; i < 81; ++i) EXPECT_NEAR(a.h[i], b.h[i], 1e-11 * (1 + largest(b.h)));
  }
}

TEST(Yeoh, InvertedElementIsPushedBack) { check_pushed_back(plugin, read_settings(plugin)); }

TEST(Yeoh, RefusesAnEnergyThatFalls) {
  EXPECT_NO_THROW(make_potential(plugin, settings(1, -0.17, 0.01, 10)));
  EXPECT_THROW(make_potential(plugin, settings(1, -0.18, 0.01, 10)), InputError);
  EXPECT_THROW(make_potential(plugin, settings(1, -0.1, 0, 10)), InputError);
}

}  // namespace
}  // namespace resilin
