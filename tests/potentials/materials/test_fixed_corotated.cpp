#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_fixed_corotated();
MaterialPlugin material_corotated();
namespace {

const MaterialPlugin plugin = material_fixed_corotated();

TEST(FixedCorotated, KnownValues) {
  const auto potential = make_potential(plugin, read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}}));
  const InStretches at = evaluate_stretches(*potential, {2, 0.5, -1});  // J = -1
  EXPECT_NEAR(at.psi, 3 * (1 + 0.25 + 4) + 3.5 * 4, 1e-12);
  EXPECT_NEAR(at.d[0], 6 + 7 * (-2) * (-0.5), 1e-12);
  EXPECT_NEAR(at.d[2], -12 + 7 * (-2) * 1, 1e-12);
  EXPECT_NEAR(at.h[5], 7 * (-2) * (-1) + 7 * (-0.5) * (-2), 1e-12);
}

TEST(FixedCorotated, ConstantsAtRestAndFit) {
  check_lame_at_rest(plugin, read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}}), {3, 7});
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 3.0}, {"lambda", 7.0}}), 13, 1e-9);
}

TEST(FixedCorotated, AgreesWithCorotatedToSecondOrderOnly) {
  const MaterialPlugin linear = material_corotated();
  const auto one = make_potential(plugin, read_settings(plugin)),
             other = make_potential(linear, read_settings(linear));
  const double e = 1e-4, stress = evaluate_stretches(*other, {1 + e, 1 - e, 1 + 2 * e}).d[2];
  EXPECT_NEAR(evaluate_stretches(*one, {1 + e, 1 - e, 1 + 2 * e}).d[2], stress, 1e-3 * std::abs(stress));
  // Flattened at constant sum of stretches, the linear one sees no change of volume.
  EXPECT_GT(evaluate_stretches(*one, {1.9, 1, 0.1}).psi, 1.2 * evaluate_stretches(*other, {1.9, 1, 0.1}).psi);
}

}  // namespace
}  // namespace resilin
