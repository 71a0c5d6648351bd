#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_corotated();
namespace {

const MaterialPlugin plugin = material_corotated();

TEST(Corotated, PrincipalFormForAllSigns) {
  const auto potential = make_potential(plugin, read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}}));
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> stretch(-2, 3);
  for (int i = 0; i < 1000; ++i) {
    const Stretches s = {stretch(rng), stretch(rng), stretch(rng)};
    double squares = 0, sum = -3;
    for (double x : s) squares += (x - 1) * (x - 1), sum += x;
    const InStretches at = evaluate_stretches(*potential, s);
    EXPECT_NEAR(at.psi, 3 * squares + 3.5 * sum * sum, 1e-12 * (100 + at.psi));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(at.d[k], 6 * (s[k] - 1) + 7 * sum, 1e-12 * 100);
  }
}

TEST(Corotated, UniaxialStressIsHookesLaw) {  // E74
  const auto potential = make_potential(plugin, read_settings(plugin, {{"young", 1e6}, {"poisson", 0.3}}));
  for (double l : {0.5, 0.9, 1.2, 2.0}) {
    const double t = 1 - 0.3 * (l - 1);
    const InStretches at = evaluate_stretches(*potential, {l, t, t});
    EXPECT_NEAR(at.d[0], 1e6 * (l - 1), 1e-8);
    EXPECT_NEAR(at.d[1], 0, 1e-8);
  }
}

TEST(Corotated, ConstantsAtRestAndFit) {
  check_lame_at_rest(plugin, read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}}), {3, 7});
  for (double half : {0.01, 0.1, 0.5, 0.8})
    EXPECT_NEAR(
        fitted_stiffness(plugin, {{"mu", 3.0}, {"lambda", 7.0}, {"fit_interval", Value::List{1 - half, 1 + half}}}),
        13, 1e-9);
}

TEST(Corotated, InvertedElementIsPushedBack) {
  const auto potential = make_potential(plugin, read_settings(plugin));
  const Evaluated at = evaluate_at(potential, diagonal(1, 1, -1), 1);
  EXPECT_LT(at.p[8], 0);
  const Evaluated mirrored = evaluate_at(potential, diagonal(1, 1, 1), 1);
  EXPECT_GT(at.psi, mirrored.psi + 1e3);  // unsigned stretches would not see it (X43)
}

}  // namespace
}  // namespace resilin
