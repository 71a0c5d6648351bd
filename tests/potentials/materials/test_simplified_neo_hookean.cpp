#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_simplified_neo_hookean();
namespace {

const MaterialPlugin plugin = material_simplified_neo_hookean();

TEST(SimplifiedNeoHookean, PrintedFormWithTheCorrectedLambda) {
  const double mu = 3, l = 7 + mu;
  const auto potential = make_potential(plugin, read_settings(plugin, {{"mu", mu}, {"lambda", 7.0}}));
  std::mt19937 rng(1);
  for (int i = 0; i < 200; ++i) {
    const Matrix f = random_matrix(rng);
    const double gap = determinant(f.data()) - 1 - mu / l;
    const double psi = 0.5 * mu * (squared_norm(f.data()) - 3) + 0.5 * l * gap * gap - mu * mu / (2 * l);
    for (int derivatives : {1, 2})
      EXPECT_NEAR(evaluate_at(potential, f, derivatives).psi, psi, 1e-11 * (1 + std::abs(psi)));
  }
}

TEST(SimplifiedNeoHookean, ConstantsAtRestAndFit) {
  check_lame_at_rest(plugin, read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}}), {3, 7});
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 3.0}, {"lambda", 7.0}}), 2 * 3 + 7, 1e-6);
}

// With textbook lambda, E = 1e6 and nu = 0.3 would behave as 8.97e5 and 0.167.
TEST(SimplifiedNeoHookean, YoungAndPoissonHoldInASmallTension) {
  const auto potential = make_potential(plugin, read_settings(plugin, {{"young", 1e6}, {"poisson", 0.3}}));
  const double l = 1 + 1e-5;
  double t = 1;
  for (int i = 0; i < 20; ++i) {  // Newton for no stress across
    const InStretches at = evaluate_stretches(*potential, {l, t, t});
    t -= at.d[1] / (at.h[1] + at.h[3]);
  }
  EXPECT_NEAR(evaluate_stretches(*potential, {l, t, t}).d[0] / (l - 1), 1e6, 100);
  EXPECT_NEAR((1 - t) / (l - 1), 0.3, 1e-4);
}

}  // namespace
}  // namespace resilin
