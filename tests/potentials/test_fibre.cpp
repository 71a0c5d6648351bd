#include "potentials/fibre.h"
#include "potentials/material_checks.h"

namespace resilin {
MaterialPlugin material_corotated();
namespace {

using Directions = std::vector<std::array<double, 3>>;

std::shared_ptr<const Potential> make(double kappa, std::array<double, 3> d) {
  return make_fibre(std::array{kappa}, Directions{d});
}

TEST(Fibre, KnownValues) {
  const auto fibre = make(50, {0, 2, 0});                                               // made a unit vector
  const Evaluated at = evaluate_at(fibre, transposed({9, 3, 9, 9, 0, 9, 9, 4, 9}), 1);  // F d = (3, 0, 4)
  EXPECT_NEAR(at.psi, 0.5 * 50 * 16, 1e-12);
  const Matrix wanted = {0, 0, 0, 120, 0, 160, 0, 0, 0};
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(at.p[i], wanted[i], 1e-12);
}

TEST(Fibre, Derivatives) {
  std::mt19937 rng(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    const auto fibre = make(50, {normal(rng), normal(rng), normal(rng)});
    for (const Matrix& f : {random_matrix(rng), random_rotation(rng)}) {
      check_derivatives(fibre, f, 50);
      check_filter(fibre, f);
    }
    // Negative curvature before the filter.
    const Matrix squeezed = product(diagonal(0.2, 0.3, 0.25), random_rotation(rng));
    check_derivatives(fibre, squeezed, 50);
    check_filter(fibre, squeezed);
  }
}

TEST(Fibre, TurnsWithTheBodyAndCarriesNoTorque) {
  std::mt19937 rng(2);
  const auto fibre = make(50, {1, 2, -1});
  for (int i = 0; i < 20; ++i) {
    const Matrix z = random_matrix(rng), q = random_rotation(rng), turned = product(z, q);  // F -> q^T F
    EXPECT_NEAR(evaluate_at(fibre, z, 1).psi, evaluate_at(fibre, turned, 1).psi, 1e-12 * 50);
    const Matrix torque = product(transposed(evaluate_at(fibre, z, 1).p), z);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < r; ++c) EXPECT_NEAR(torque[3 * r + c], torque[3 * c + r], 1e-12 * 50);
  }
}

TEST(Fibre, CollapsedStaysFinite) {
  for (const Matrix& f : {Matrix{}, diagonal(1e-200, 0, 0), diagonal(0, 1, 1)})
    for (bool filter : {false, true}) {
      const Evaluated at = evaluate_at(make(50, {1, 0, 0}), f, 2, filter);
      EXPECT_NEAR(at.psi, 25, 1e-12);
      for (double v : at.p) EXPECT_EQ(std::isfinite(v) && std::abs(v) < 51, true);
      for (double v : at.h) EXPECT_TRUE(std::isfinite(v));
    }
}

TEST(Fibre, ConstantHessianIsThatAtRest) {
  const std::array<double, 3> d = {2.0 / 3, -1.0 / 3, 2.0 / 3};
  double matrix[9];
  make(50, d)->quadratic(0, 1, matrix);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(matrix[i], 50 * d[i / 3] * d[i % 3], 1e-12);
}

// E21: in the same term as a solid it raises Young's modulus along d by kappa, and not across.
TEST(Fibre, StiffensAlongItsDirection) {
  const MaterialPlugin plugin = material_corotated();
  const Settings settings = read_settings(plugin, {{"mu", 10.0}, {"lambda", 100.0}});
  Term term;
  term.elastic = {make_potential(plugin, settings), make(50, {1, 0, 0})};
  const TermKernels both(term, in_order);
  const double young = 10 * (3 * 100 + 2 * 10) / 110.0, e = 1e-5;
  const auto modulus = [&](int axis) {
    Stretches s = {1, 1, 1};
    s[axis] += e;
    TestBlock test;
    for (int iteration = 0; iteration < 200;
         ++iteration)  // Newton for one stretch after the other, until free across
      for (int across = 0; across < 3; ++across) {
        for (int i = 0; i < 9; ++i)
          for (int l = 0; l < lanes; ++l) TestBlock::at(test.block.z, i, l) = i % 4 == 0 ? s[i / 4] : 0;
        evaluate(both, test.block, 2);
        const int i = 4 * across, diagonal_entry = i * (i + 1) / 2 + i;
        if (across != axis)
          s[across] -=
              TestBlock::at(test.block.dpsi_z, i, 0) / TestBlock::at(test.block.d2psi_z, diagonal_entry, 0);
      }
    evaluate(both, test.block, 1);
    return TestBlock::at(test.block.dpsi_z, 4 * axis, 0) / e;
  };
  EXPECT_NEAR(modulus(0), young + 50, 0.01 * (young + 50));
  EXPECT_NEAR(modulus(1), modulus(2), 1e-6 * young);
}

TEST(Fibre, ValuesPerElementAndErrors) {
  const std::vector<double> kappa = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto fibre = make_fibre(kappa, Directions{{1, 0, 0}});
  TestBlock test;
  for (int l = 0; l < lanes; ++l) TestBlock::at(test.block.z, 0, l) = 2;
  fibre->pack(Slots{7, 6, 5, 4, 3, 2, 1, 0})->evaluate(test.block);
  for (int l = 0; l < lanes; ++l) EXPECT_EQ(test.block.psi[l], 0.5 * (8 - l));
  const std::array<double, 3> x = {1, 0, 0}, zero = {0, 0, 0};
  EXPECT_THROW(make_fibre(std::array{0.0}, Directions{x}), InputError);
  EXPECT_THROW(make_fibre(std::array{1.0}, Directions{zero}), InputError);
  EXPECT_THROW(make_fibre(std::array{1.0, 2.0}, Directions{x, x, x}), InputError);
}

}  // namespace
}  // namespace resilin
