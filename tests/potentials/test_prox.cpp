// The local step of ADMM against a minimiser that uses values only, for every registered material and the other
// potentials.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "contact/obstacles/obstacle_potential.h"
#include "potentials/fibre.h"
#include "potentials/pin.h"
#include "potentials/prox.h"
#include "potentials/spring.h"
#include "resilin/registry.h"
#include "setup/probe.h"
#include "setup/prox_probe.h"
#include "setup/sampling.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

void expect_minimiser(ProxProbe& probe, const double* v, double weight, const std::string& what) {
  double z[9], found[9];
  probe.solve(v, weight, z);
  const double value = probe.value(z, v, weight);
  ASSERT_TRUE(std::isfinite(value)) << what;
  EXPECT_LE(value, probe.value(v, v, weight) * (1 + 1e-12) + 1e-12 * weight) << what << ": above its start";
  std::copy_n(z, probe.components(), found);
  probe.compass_search(v, weight, 0.05, found);
  double squares = 1;
  for (int i = 0; i < probe.components(); ++i) squares += v[i] * v[i];
  EXPECT_LE(value - probe.value(found, v, weight), 1e-9 * weight * squares)
      << what << ": a search by values goes lower";
  EXPECT_LE(probe.slope(z, v, weight), 1e-6 * weight * std::sqrt(squares)) << what << ": not stationary";
}

// With a negative lambda some energies fall for ever, stretched, crushed or turned inside out: they are negative
// there, and zero at rest.
bool falls_without_bound(ProxProbe& probe) {
  for (const double a : {1e-6, 1e3})
    for (const double b : {1e-6, 1.0, 1e3})
      for (const double c : {-1e3, -10.0, 1e-6, 1e3}) {
        const double z[9] = {a, 0, 0, 0, b, 0, 0, 0, c};
        if (!(probe.value(z, z, 1) >= 0)) return true;
      }
  return false;
}

TEST(Prox, EveryMaterialAtEveryKindOfStretch) {
  Random random(3);
  std::set<std::string> found;
  for (int round = 0; round < 20; ++round)
    for (const MaterialDraw& draw : draw_materials(random)) {
      ProxProbe probe = prox_probe(draw.material, draw.params);
      if (falls_without_bound(probe)) continue;        // there is no minimiser to find
      if (!found.insert(draw.label).second) continue;  // once is enough
      EXPECT_NE(probe.method(), Prox::coordinates) << draw.label;
      for (const Stretching kind :
           {Stretching::upright, Stretching::inverted, Stretching::two_equal, Stretching::flat}) {
        double v[9];
        draw_matrix(kind, 0.4, 1.8, random, v);
        for (const double factor : {0.36, 1.0, 10.0})
          expect_minimiser(probe, v, factor * probe.stiffness(),
                           draw.label + " " + name(kind) + " " + std::to_string(factor));
      }
    }
  EXPECT_EQ(found.size(), draw_materials(random).size());
}

TEST(Prox, SpringsPinsObstaclesAndFibres) {
  const double one[1] = {50}, length[1] = {0.7}, place[3] = {1, 2, 3};
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  Random random(4);
  struct Case {
    std::string name;
    std::vector<std::shared_ptr<const Potential>> potentials;
    int rows;
  };
  const std::array<double, 3> direction = {1, 2, -1};
  const double kappa[1] = {2e5};
  std::vector<Case> cases = {
      {"spring", {make_spring(one, length)}, 1},
      {"pin", {make_pin(1e3, place, Motion{})}, 1},
      {"plane", {make_obstacle_potential(plane.make(plane.params.defaults()), 1e4)}, 1},
      {"fibre", {make_fibre(kappa, std::span(&direction, 1)), prox_probe("neo_hookean", {}).potential()}, 3}};
  for (Case& c : cases) {
    ProxProbe probe(c.potentials);
    const double k = std::max(probe.stiffness(), 100.0);
    for (int i = 0; i < 20; ++i) {
      double v[9];
      for (int j = 0; j < 3 * c.rows; ++j)
        v[j] = random.normal() * (c.rows == 3 ? 0.2 : 1) + (c.rows == 3 && j % 4 == 0 ? 1 : 0);
      for (const double factor : {0.4, 3.0}) expect_minimiser(probe, v, factor * k, c.name);
    }
  }
}

TEST(Prox, ClosedFormOfStrainEnergyIsExact) {
  ProxProbe probe = prox_probe("arap", {{"stiffness", 3.0}});
  const double v[9] = {2, 0, 0, 0, 1.5, 0, 0, 0, -0.5}, weight = 1;
  double z[9];
  probe.solve(v, weight, z);
  // X43, X44: the nearest rotation keeps the sign of the smallest stretch; z = (k p + w v)/(k + w).
  const double expected[9] = {1.25, 0, 0, 0, 1.125, 0, 0, 0, 0.625};
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(z[i], expected[i], 1e-14);
}

// A lane that needs many steps must not disturb its neighbours: packs are only a way to be fast.
TEST(Prox, LanesAreIndependent) {
  Random random(5);
  ProxProbe probe = prox_probe("neo_hookean", {{"young", 1e5}, {"poisson", 0.45}});
  double v[8][9], z[9];
  const double* all[8];
  std::vector<double> together(72);
  for (int l = 0; l < 8; ++l) {
    draw_matrix(all_stretchings[l % 2], 0.1, 3, random, v[l]);
    all[l] = v[l];
  }
  probe.solve_lanes(all, 2e4, together.data());
  for (int l = 0; l < 8; ++l) {
    probe.solve(v[l], 2e4, z);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(z[i], together[9 * l + i]);
  }
}

}  // namespace
}  // namespace resilin::test
