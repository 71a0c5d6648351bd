#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/expect_input_error.h"
#include "resilin/builder.h"
#include "support/setup.h"

namespace resilin {
namespace {

const Values denim{{"warp", 3e6}, {"weft", 1e6}, {"shear", 2e5}, {"poisson", 0.4}};

// A sheet of area 1 and thickness 0.5 whose warp is turned by `degrees` from x.
Model sheet(double degrees, const Values& cloth = denim) {
  const double angle = degrees * std::numbers::pi / 180;
  Builder builder;
  builder.add(Shell{.mesh = grid_sheet({}),
                    .skin = {.thickness = 0.5,
                             .material = "none",
                             .bending = "none",
                             .potentials = {{"orthotropic", cloth}},
                             .warp = {std::cos(angle), std::sin(angle), 0}}});
  return builder.model();
}

// Energy per volume of the map x -> (1 + exx) x + exy y, y -> exy x + (1 + eyy) y.
double density(const Model& model, double exx, double eyy, double exy) {
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  std::vector<double> q = model.rest;
  for (std::size_t i = 0; i < q.size(); i += 3) {
    const double x = q[i], y = q[i + 1];
    q[i] = x + exx * x + exy * y, q[i + 1] = y + exy * x + eyy * y;
  }
  return system.potential_energy(q.data(), nullptr) / 0.5;
}

// Of a strip that is pulled along x while its sides are free: stress/strain = d2/dexx2 after the other strains are
// condensed.
double uniaxial_modulus(const Model& model) {
  const double e = 1e-4;
  double h[3][3];
  const auto at = [&](int i, double a, int j, double b) {
    double strain[3] = {};
    strain[i] += a, strain[j] += b;
    return density(model, strain[0], strain[1], strain[2]);
  };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      h[i][j] = (at(i, e, j, e) - at(i, e, j, -e) - at(i, -e, j, e) + at(i, -e, j, -e)) / (4 * e * e);
  const double minor = h[1][1] * h[2][2] - h[1][2] * h[2][1];
  const double determinant = h[0][0] * minor - h[0][1] * (h[1][0] * h[2][2] - h[1][2] * h[2][0]) +
                             h[0][2] * (h[1][0] * h[2][1] - h[1][1] * h[2][0]);
  return determinant / minor;
}

// 1/E(angle) = c^4/E1 + s^4/E2 + c^2 s^2 (1/G - 2 nu12/E1)
TEST(Orthotropic, ModuliAlongWarpWeftAndBetween) {
  for (const double degrees : {0.0, 90.0, 45.0, 20.0}) {
    const double angle = degrees * std::numbers::pi / 180, c2 = std::pow(std::cos(angle), 2), s2 = 1 - c2;
    const double expected = 1 / (c2 * c2 / 3e6 + s2 * s2 / 1e6 + c2 * s2 * (1 / 2e5 - 2 * 0.4 / 3e6));
    EXPECT_NEAR(uniaxial_modulus(sheet(degrees)) / expected, 1, 1e-5) << degrees;
  }
}

// Far from rest: the energy in Green's strain itself.
TEST(Orthotropic, EnergyOfLargeStrains) {
  const double e1 = 0.5 * (1.3 * 1.3 - 1), e2 = 0.5 * (0.8 * 0.8 - 1), rest = 1 - 0.4 * 0.4 / 3;
  EXPECT_NEAR(density(sheet(0), 0.3, -0.2, 0),
              (3e6 * e1 * e1 + 1e6 * e2 * e2 + 2 * 0.4 * 1e6 * e1 * e2) / (2 * rest), 1e-3);
}

TEST(Orthotropic, CompliantFormIsTheEnergy) {
  const Model model = sheet(30);
  const Term& term = model.terms[0];
  const std::vector<int> slots(8, 0);
  const auto form = term.elastic[0]->compliant_form(slots);
  const auto kernel = term.elastic[0]->pack(slots);
  setup::Random random(5);
  alignas(64) double z[6 * 8], psi[8] = {}, value[3 * 8], gradient[18 * 8], stiffness[3 * 8], slope[6 * 8] = {};
  for (double& x : z) x = random.normal();
  Block block{.rows = 2, .packs = 1, .z = z, .psi = psi, .dpsi_z = slope};
  kernel->evaluate(block);
  form->evaluate(block, {value, gradient, stiffness});
  for (int lane = 0; lane < 8; ++lane) {
    double energy = 0, slopes[6] = {};
    for (int j = 0; j < 3; ++j) {
      const double c = value[j * 8 + lane], k = stiffness[j * 8 + lane];
      energy += 0.5 * k * c * c;
      for (int i = 0; i < 6; ++i) slopes[i] += k * c * gradient[(j * 6 + i) * 8 + lane];
    }
    EXPECT_NEAR(energy, psi[lane], 1e-12 * psi[lane]);
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(slopes[i], slope[i * 8 + lane], 1e-12 * (psi[lane] + 3e6));
  }
}

TEST(Orthotropic, FilteredHessianHasNoNegativeDirection) {
  const Model model = sheet(0);
  const auto kernel = model.terms[0].elastic[0]->pack(std::vector<int>(8, 0));
  setup::Random random(11);
  alignas(64) double z[6 * 8], psi[8] = {}, h[21 * 8] = {}, exact[21 * 8] = {};
  for (double& x : z) x = 0.5 * random.normal();  // pressed: the exact one is indefinite
  Block block{.rows = 2, .packs = 1, .z = z, .psi = psi, .d2psi_z = exact};
  kernel->evaluate(block);
  block.filter = true, block.d2psi_z = h;
  kernel->evaluate(block);
  double lowest = 0;
  for (int trial = 0; trial < 200; ++trial) {
    double d[6];
    for (double& x : d) x = random.normal();
    for (int lane = 0; lane < 8; ++lane) {
      double filtered = 0, raw = 0;
      for (int i = 0, at = 0; i < 6; ++i)
        for (int j = 0; j <= i; ++j, ++at) {
          const double twice = (i == j ? 1 : 2) * d[i] * d[j];
          filtered += twice * h[at * 8 + lane], raw += twice * exact[at * 8 + lane];
        }
      EXPECT_GE(filtered, -1e-9 * 3e6);
      EXPECT_GE(filtered, raw - 1e-9 * 3e6);
      lowest = std::min(lowest, raw);
    }
  }
  EXPECT_LT(lowest, 0);
}

TEST(Orthotropic, SaysThatMaterialsMustResist) {
  const InputError error = test::input_error([] {
    sheet(0, {{"warp", 1e5}, {"weft", 1e6}, {"shear", 1e5}, {"poisson", 0.5}});
  });
  for (const char* words : {"poisson", "warp/weft"}) EXPECT_TRUE(test::says(error, words));
}

}  // namespace
}  // namespace resilin
