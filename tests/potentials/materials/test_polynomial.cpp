#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_polynomial();
MaterialPlugin material_arap();
namespace {

const MaterialPlugin plugin = material_polynomial();

TEST(Polynomial, KnownValues) {
  const auto potential = make_potential(plugin, read_settings(plugin, {{"mu", 2.0}}));
  const InStretches at = evaluate_stretches(*potential, {1.5, 0.5, -1});
  EXPECT_DOUBLE_EQ(at.psi, 2 * (0.0625 + 0.0625 + 16));
  EXPECT_DOUBLE_EQ(at.d[0], 1);
  EXPECT_DOUBLE_EQ(at.d[1], -1);
  EXPECT_DOUBLE_EQ(at.d[2], -64);
  EXPECT_DOUBLE_EQ(at.h[2], 96);
  EXPECT_EQ(at.h[3], 0);
}

TEST(Polynomial, NoStiffnessAtRestButAFit) {
  check_lame_at_rest(plugin, read_settings(plugin), {0, 0});
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 2.0}}), 1.2, 1e-6);
}

TEST(Polynomial, SofterThanItsFitNearRestAndStifferFarAway) {  // E23
  const auto f = plugin.functions(read_settings(plugin, {{"mu", 1.0}}));
  const MaterialPlugin arap = material_arap();
  const auto g = arap.functions(read_settings(arap, {{"stiffness", 0.6}}));
  for (double e = -0.99; e < 2; e += 0.01) {
    const double x = 1 + e;
    if (std::abs(e) > 0.5) {
      EXPECT_GT(std::abs(f.stress(x)), std::abs(g.stress(x))) << x;
    }
    if (std::abs(e) < 0.25 && std::abs(e) > 1e-9) {
      EXPECT_LT(std::abs(f.stress(x)), std::abs(g.stress(x))) << x;
    }
  }
}

}  // namespace
}  // namespace resilin
