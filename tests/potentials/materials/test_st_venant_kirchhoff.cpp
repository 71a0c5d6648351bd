#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_st_venant_kirchhoff();
namespace {

const MaterialPlugin plugin = material_st_venant_kirchhoff();

TEST(StVenantKirchhoff, TensorForm) {
  const auto potential = make_potential(plugin, read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}}));
  std::mt19937 rng(1);
  for (int i = 0; i < 200; ++i) {
    const Matrix f = random_matrix(rng), c = product(f, transposed(f));
    double trace = 0, square = 0;
    for (int k = 0; k < 9; ++k) {
      const double e = 0.5 * (c[k] - (k % 4 == 0));
      square += e * e, trace += k % 4 == 0 ? e : 0;
    }
    for (int derivatives : {1, 2})  // by invariants, by stretches
      EXPECT_NEAR(evaluate_at(potential, f, derivatives).psi, 3 * square + 3.5 * trace * trace,
                  1e-11 * (1 + 10 * square));
  }
}

TEST(StVenantKirchhoff, UniaxialStress) {  // E74
  const auto potential = make_potential(plugin, read_settings(plugin, {{"young", 1e6}, {"poisson", 0.3}}));
  for (double l : {0.5, 0.9, 1.2, 1.5}) {
    const double t = std::sqrt(1 - 0.3 * (l * l - 1));
    const InStretches at = evaluate_stretches(*potential, {l, t, t});
    EXPECT_NEAR(at.d[0], 0.5e6 * l * (l * l - 1), 1e-8);
    EXPECT_NEAR(at.d[1], 0, 1e-8);
  }
}

TEST(StVenantKirchhoff, ConstantsAtRestAndFit) {
  check_lame_at_rest(plugin, read_settings(plugin, {{"mu", 3.0}, {"lambda", 7.0}}), {3, 7});
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 3.0}, {"lambda", 7.0}}), 2.15 * (3 + 3.5), 1e-6);
  const Value window = Value::List{0.9, 1.1};
  EXPECT_NEAR(fitted_stiffness(plugin, {{"mu", 3.0}, {"lambda", 7.0}, {"fit_interval", window}}), (2 + 0.006) * 6.5,
              1e-9);
}

TEST(StVenantKirchhoff, CannotTellTheMirrorImage) {
  const auto potential = make_potential(plugin, read_settings(plugin));
  EXPECT_EQ(evaluate_at(potential, diagonal(1.2, 0.9, 0.4), 1).psi,
            evaluate_at(potential, diagonal(1.2, 0.9, -0.4), 1).psi);
  EXPECT_EQ(evaluate_at(potential, diagonal(0, 0, 0), 1).p, Matrix{});  // a collapsed element stays
}

}  // namespace
}  // namespace resilin
