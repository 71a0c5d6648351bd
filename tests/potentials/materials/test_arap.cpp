#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_arap();
MaterialPlugin material_corotated();
namespace {

const MaterialPlugin plugin = material_arap();

TEST(Arap, IsCorotatedWithTwiceMu) {  // X1
  const MaterialPlugin corotated = material_corotated();
  const auto one = make_potential(plugin, read_settings(plugin, {{"stiffness", 6.0}}));
  const auto other = make_potential(corotated, read_settings(corotated, {{"mu", 3.0}, {"lambda", 0.0}}));
  std::mt19937 rng(3);
  for (const Matrix& f : sample_matrices(rng, 50))
    EXPECT_NEAR(evaluate_at(one, f, 1).psi, evaluate_at(other, f, 1).psi, 1e-12 * 100);
}

TEST(Arap, ConstantsAtRestAndFit) {
  check_lame_at_rest(plugin, read_settings(plugin, {{"stiffness", 6.0}}), {3, 0});
  EXPECT_NEAR(fitted_stiffness(plugin, {{"stiffness", 6.0}}), 6, 1e-12);
}

// The nearest rotation to the mirror image of the unit cube is at distance 2, not 0 (X43).
TEST(Arap, MirrorImageIsFarFromEveryRotation) {
  const auto potential = make_potential(plugin, read_settings(plugin, {{"stiffness", 6.0}}));
  EXPECT_NEAR(evaluate_at(potential, diagonal(1, 1, -1), 1).psi, 0.5 * 6 * 4, 1e-12);
  EXPECT_NEAR(evaluate_at(potential, diagonal(-1, -1, -1), 1).psi, 0.5 * 6 * 4, 1e-12);
  EXPECT_NEAR(evaluate_at(potential, diagonal(-1, -1, 1), 1).psi, 0, 1e-12);  // a rotation
}

TEST(Arap, ProjectionIsARotation) {
  const auto potential = make_potential(plugin, read_settings(plugin));
  ASSERT_TRUE(potential->projects());
  std::mt19937 rng(4);
  for (const Matrix& f : sample_matrices(rng, 50)) {
    TestBlock test;
    for (int i = 0; i < 9; ++i)
      for (int l = 0; l < lanes; ++l) TestBlock::at(test.block.z, i, l) = f[i];
    const TermKernels kernels(*potential, in_order);
    decompose(kernels, test.block, 1);
    AlignedVector<double> projected(9 * lanes);
    kernels.elastic()[0]->project(test.block, projected.data());
    Matrix r;
    for (int i = 0; i < 9; ++i) r[i] = projected[i * lanes + 3];
    EXPECT_NEAR(determinant(r.data()), 1, 1e-12);
    const Matrix unit = product(r, transposed(r));
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(unit[i], i % 4 == 0, 1e-12);
  }
}

}  // namespace
}  // namespace resilin
