#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_neo_hookean();
namespace {

const MaterialPlugin plugin = material_neo_hookean();

// E74: lateral stretch t and axial stress P of a bar, E = 1e6, nu = 0.3, solved independently.
TEST(NeoHookean, UniaxialStress) {
  const auto potential = make_potential(plugin, read_settings(plugin, {{"young", 1e6}, {"poisson", 0.3}}));
  const double rows[4][3] = {{0.7, 1.10793473, -4.052304e5},
                             {0.9, 1.03170243, -1.087222e5},
                             {1.1, 0.97149295, 9.307743e4},
                             {1.5, 0.88017459, 3.782802e5}};
  for (const auto& [l, t, stress] : rows) {
    const InStretches at = evaluate_stretches(*potential, {l, t, t});
    EXPECT_NEAR(at.d[0], stress, 1e-6 * std::abs(stress));
    EXPECT_NEAR(at.d[1], 0, 0.05);  // t is given to 9 digits
  }
}

TEST(NeoHookean, ConstantsAtRestAndFit) {
  const Settings settings = read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}});
  check_lame_at_rest(plugin, settings, {3, 7});
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 1.0}, {"lambda", 0.0}}), 2.183347, 1e-6);
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 1.0}, {"lambda", 1.0}}), 2.183347 + 1.353561, 1e-6);
  // Series in the half width (X45), and the limit (E5).
  const Value window = Value::List{0.9, 1.1}, narrow = Value::List{0.99, 1.01};
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 3.0}, {"lambda", 7.0}, {"fit_interval", window}}),
              3 * 2.006 + 7 * 1.011, 2e-3);
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 3.0}, {"lambda", 7.0}, {"fit_interval", narrow}}), 13, 13e-4);
}

TEST(NeoHookean, ExtensionMeetsTheLogarithmAndPushesBack) {
  const double j0 = 0.2;
  const auto f = plugin.functions(read_settings(plugin, {{"mu", 1.0}, {"lambda", 2.0}, {"j0", j0}}));
  const Jet<double> above = f.c(j0 * (1 + 1e-12)), below = f.c(j0 * (1 - 1e-12));
  EXPECT_NEAR(above.f, below.f, 1e-10);
  EXPECT_NEAR(above.d, below.d, 1e-9);
  EXPECT_NEAR(above.dd, below.dd, 1e-8);
  for (double j : {0.19, 0.0, -0.5, -3.0, -100.0}) {
    EXPECT_LT(f.c(j).d, 0) << j;  // the force is towards larger J
    EXPECT_GT(f.c(j).dd, 0) << j;
  }
  const double l = std::log(j0) + (-0.5 - j0) / j0 - 0.5 * std::pow(-0.5 / j0 - 1, 2);
  EXPECT_NEAR(f.c(-0.5).f, -l + l * l, 1e-12 * l * l);
}

}  // namespace
}  // namespace resilin
