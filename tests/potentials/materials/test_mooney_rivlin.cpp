#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_mooney_rivlin();
MaterialPlugin material_neo_hookean();
namespace {

const MaterialPlugin plugin = material_mooney_rivlin();

TEST(MooneyRivlin, TensorForm) {
  const double c1 = 2, c2 = 3, c3 = 5;
  const auto potential =
      make_potential(plugin, read_settings(plugin, {{"c1", c1}, {"c2", c2}, {"c3", c3}, {"j0", 0.01}}));
  std::mt19937 rng(1);
  int seen = 0;
  for (int i = 0; i < 400; ++i) {
    const Matrix f = random_matrix(rng), c = product(f, transposed(f));
    const double j = determinant(f.data());
    if (j < 0.01) continue;
    ++seen;
    const double i1 = trace(c.data()), i2 = 0.5 * (i1 * i1 - squared_norm(c.data()));
    const double psi = c1 * (i1 - 3) + c2 * (i2 - 3) + c3 * (j - 1) * (j - 1) - 2 * (c1 + 2 * c2) * std::log(j);
    for (int derivatives : {1, 2})
      EXPECT_NEAR(evaluate_at(potential, f, derivatives).psi, psi, 1e-11 * (1 + std::abs(psi)));
  }
  EXPECT_GT(seen, 100);
}

TEST(MooneyRivlin, ConstantsAtRestAndFit) {
  const Value::Object object = {{"c1", 2.0}, {"c2", 3.0}, {"c3", 5.0}};
  check_lame_at_rest(plugin, read_settings(plugin, object), {2 * (2 + 3), 4 * 3 + 2 * 5});
  EXPECT_NEAR(fitted_stiffness(plugin, {{"c1", 1.0}, {"c2", 0.0}, {"c3", 0.0}}), 4.366695, 1e-6);
  EXPECT_NEAR(fitted_stiffness(plugin, object), 4.366695 * 8 + 2 * 5, 1e-5);
}

TEST(MooneyRivlin, WithoutC2AndC3IsNeoHookeanWithoutLambda) {
  const MaterialPlugin neo_hookean = material_neo_hookean();
  const auto one = make_potential(plugin, read_settings(plugin, {{"c1", 1.5}, {"c2", 0.0}, {"c3", 0.0}}));
  const auto other = make_potential(neo_hookean, read_settings(neo_hookean, {{"mu", 3.0}, {"lambda", 0.0}}));
  std::mt19937 rng(2);
  for (const Matrix& f : sample_matrices(rng, 50)) {
    const Evaluated a = evaluate_at(one, f, 1), b = evaluate_at(other, f, 1);
    EXPECT_NEAR(a.psi, b.psi, 1e-12 * (1 + std::abs(b.psi)));
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(a.p[i], b.p[i], 1e-11 * (1 + largest(b.p)));
  }
}

TEST(MooneyRivlin, InvertedElementIsPushedBack) {
  const auto f = plugin.functions(read_settings(plugin));
  for (double j : {0.05, 0.0, -1.0, -50.0}) {
    EXPECT_LT(f.c(j).d, 0) << j;
    EXPECT_GT(f.c(j).dd, 0) << j;
  }
}

}  // namespace
}  // namespace resilin
