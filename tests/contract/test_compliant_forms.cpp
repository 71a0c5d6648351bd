// Every potential that offers a compliant form: its constraints are the energy, their gradients are right, and
// nothing is NaN where they have none.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "contact/friction/friction.h"
#include "contact/narrow_phase/pair_energy.h"
#include "contact/obstacles/obstacle_potential.h"
#include "potentials/compliant_materials.h"
#include "potentials/evaluate.h"
#include "potentials/fibre.h"
#include "potentials/material.h"
#include "potentials/pin.h"
#include "potentials/spring.h"
#include "resilin/registry.h"
#include "setup/probe.h"
#include "setup/sampling.h"
#include "simd/pack.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// One element in all lanes.
class Probe {
 public:
  explicit Probe(const std::shared_ptr<const Potential>& potential)
      : rows_(shape_of(potential->kind()).rows),
        form_(potential->compliant_form(std::vector<int>(lanes, 0))),
        kernels_(*potential, std::vector<int>(lanes, 0)) {}
  bool constrains() const { return form_ != nullptr; }
  int constraints() const { return form_->constraints(); }
  int components() const { return 3 * rows_; }
  const CompliantForm& form() const { return *form_; }

  double energy(const double* z) {
    Block block = set(z);
    evaluate(kernels_, block, 0);
    return psi_[0];
  }
  // sum k/2 c^2, of pushing constraints only when one-sided.
  double squares(const double* z) {
    constrain(z);
    double sum = 0;
    for (int j = 0; j < constraints(); ++j) {
      const double c = form_->one_sided() ? std::min(0.0, value(j)) : value(j);
      sum += 0.5 * stiffness_[j * lanes] * c * c;
    }
    return sum;
  }
  void constrain(const double* z) { form_->evaluate(set(z), {value_, gradient_, stiffness_}); }
  double value(int j) const { return value_[j * lanes]; }
  double stiffness(int j) const { return stiffness_[j * lanes]; }
  double gradient(int j, int i) const { return gradient_[(j * components() + i) * lanes]; }

 private:
  Block set(const double* z) {
    for (int i = 0; i < components(); ++i) std::fill_n(z_ + i * lanes, lanes, z[i]);
    Block block;
    block.rows = rows_, block.packs = 1;
    block.z = z_, block.u = u_, block.s = s_, block.v = v_, block.r = r_, block.psi = psi_;
    return block;
  }
  int rows_;
  std::unique_ptr<CompliantForm> form_;
  TermKernels kernels_;
  alignas(64) double z_[72], u_[72], s_[24], v_[72], r_[72], psi_[8];
  alignas(64) double value_[24], stiffness_[24], gradient_[216];
};

std::shared_ptr<const Potential> material(const MaterialDraw& draw) {
  const Settings settings = material_settings(draw.material, draw.params);
  const ElementSettings element{&settings, 0};
  return plugin<MaterialPlugin>("material", draw.material, "test").make(std::span(&element, 1));
}

void expect_energy(Probe& probe, const double* z, const std::string& what) {
  EXPECT_NEAR(probe.energy(z), probe.squares(z), 1e-9 * std::abs(probe.squares(z))) << what;
}

void expect_gradients(Probe& probe, const double* at, const std::string& what) {
  const double step = 1e-6;
  probe.constrain(at);
  std::vector<double> found;
  for (int j = 0; j < probe.constraints(); ++j)
    for (int i = 0; i < probe.components(); ++i) found.push_back(probe.gradient(j, i));
  for (int i = 0; i < probe.components(); ++i) {
    std::vector<double> z(at, at + probe.components()), up;
    z[i] = at[i] + step;
    probe.constrain(z.data());
    for (int j = 0; j < probe.constraints(); ++j) up.push_back(probe.value(j));
    z[i] = at[i] - step;
    probe.constrain(z.data());
    for (int j = 0; j < probe.constraints(); ++j) {
      const double wanted = (up[j] - probe.value(j)) / (2 * step);
      EXPECT_NEAR(found[j * probe.components() + i], wanted, 1e-6 * (1 + std::abs(wanted)))
          << what << ", constraint " << j;
    }
  }
}

TEST(CompliantForms, MaterialsAreSumsOfSquares) {
  Random random(11);
  std::set<std::string> found;  // a draw may have a negative lambda: enough of them have not
  for (int round = 0; round < 20; ++round)
    for (const MaterialDraw& draw : draw_materials(random)) {
      Probe probe(material(draw));
      if (!probe.constrains()) continue;
      found.insert(draw.material);
      for (int i = 0; i < 10; ++i) {
        double z[9];
        draw_matrix(i % 2 == 0 ? Stretching::upright : Stretching::inverted, 0.4, 1.8, random, z);
        expect_energy(probe, z, draw.label);
        expect_gradients(probe, z, draw.label);
      }
    }
  EXPECT_EQ(found.size(), compliant_materials().size());
}

// Also turned and hardly strained: constraints of the size of the strain, with gradients of the size of one.
TEST(CompliantForms, ConstraintsVanishAtRestInProportionToTheStrain) {
  Random random(12);
  for (const MaterialDraw& draw : draw_materials(random)) {
    Probe probe(material(draw));
    if (!probe.constrains()) continue;
    for (const double strain : {0.0, 1e-12, 1e-9, 1e-6, 1e-3}) {
      double z[9], r[9];
      random.rotation(r);
      for (int i = 0; i < 9; ++i) z[i] = r[i] * (i < 3 ? 1 + strain : 1);
      probe.constrain(z);
      for (int j = 0; j < probe.constraints(); ++j) {
        EXPECT_LE(std::abs(probe.value(j)), 3 * strain + 1e-14) << draw.label << " " << strain;
        double squares = 0;
        for (int i = 0; i < 9; ++i) squares += probe.gradient(j, i) * probe.gradient(j, i);
        EXPECT_LE(squares, 40) << draw.label << " " << strain;
        if (j == 0 && strain > 1e-13) {
          EXPECT_GE(probe.value(j), 0.5 * strain) << draw.label;
        }
      }
    }
  }
}

TEST(CompliantForms, NothingIsNanWhereAConstraintHasNoDirection) {
  Random random(13);
  for (const MaterialDraw& draw : draw_materials(random)) {
    Probe probe(material(draw));
    if (!probe.constrains()) continue;
    for (const Stretching kind : all_stretchings) {
      double z[9];
      draw_matrix(kind, 0.4, 1.8, random, z);
      probe.constrain(z);
      for (int j = 0; j < probe.constraints(); ++j) {
        EXPECT_TRUE(std::isfinite(probe.value(j))) << draw.label << " " << name(kind);
        EXPECT_GE(probe.stiffness(j), 0) << draw.label;
        for (int i = 0; i < 9; ++i)
          EXPECT_TRUE(std::isfinite(probe.gradient(j, i))) << draw.label << " " << name(kind);
      }
    }
  }
}

TEST(CompliantForms, SpringsPinsFibresAndObstacles) {
  const double k[1] = {50}, length[1] = {0.7}, place[3] = {1, 2, 3}, kappa[1] = {2e5};
  const std::array<double, 3> direction = {1, 2, -1};
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  struct Case {
    std::string name;
    std::shared_ptr<const Potential> potential;
  };
  const Case cases[] = {{"spring", make_spring(k, length)},
                        {"pin", make_pin(1e3, place, Motion{})},
                        {"plane", make_obstacle_potential(plane.make(plane.params.defaults()), 1e4)},
                        {"fibre", make_fibre(kappa, std::span(&direction, 1))}};
  Random random(14);
  for (const Case& c : cases) {
    Probe probe(c.potential);
    ASSERT_TRUE(probe.constrains()) << c.name;
    for (int i = 0; i < 10; ++i) {
      double z[9];
      for (double& x : z) x = random.normal();
      expect_energy(probe, z, c.name);
      expect_gradients(probe, z, c.name);
    }
    const double zero[9] = {};
    probe.constrain(zero);
    for (int j = 0; j < probe.constraints(); ++j)
      for (int n = 0; n < probe.components(); ++n) EXPECT_TRUE(std::isfinite(probe.gradient(j, n))) << c.name;
  }
}

// Least squares of the slip whose force has a limit, which is on the disc: k/2 |u|^2, or f |u| - f^2/2k.
TEST(CompliantForms, Friction) {
  Random random(16);
  for (const double limit : {1e3, 30.0, 1.0}) {
    FrictionContact contact;
    contact.anchor = {0.1, -0.2, 0.3}, contact.normal = {0.6, 0, 0.8}, contact.stiffness = 100,
    contact.limit = limit;
    Probe probe(std::make_shared<Friction>(ElementKind::point, std::vector{contact}));
    for (int i = 0; i < 10; ++i) {
      const double z[3] = {random.normal(), random.normal(), random.normal()};
      probe.constrain(z);
      const double u = std::hypot(probe.value(0), probe.value(1), probe.value(2)), force = std::min(100 * u, limit);
      EXPECT_EQ(dynamic_cast<const SlipForm&>(probe.form()).limits(0)[0], limit);
      EXPECT_NEAR(probe.energy(z), force * u - 0.5 * force * force / 100, 1e-12 * (1 + force * u));
      expect_gradients(probe, z, "friction");
    }
  }
}

std::shared_ptr<const Potential> pair(bool edges, double side) {
  PairTerm term;
  if (edges) term.add({0, 1, 2, 3}, EdgeEdge{300, 1.5, side});
  else term.add({0, 1, 2, 3}, VertexTriangle{300, 1.5, {0.5, 0.5, 0}, {0.25, 0, 1.0 / 6}, side});
  return std::move(term).finish().elastic[0];
}

TEST(CompliantForms, PairsThatTouch) {
  Random random(17);
  for (const bool edges : {false, true}) {
    Probe probe(pair(edges, 0));
    int touching = 0;
    for (int i = 0; i < 100; ++i) {
      double z[9];
      for (double& x : z) x = random.normal();
      if (probe.energy(z) < 1) continue;  // inclusion and exclusion may leave less than nothing of one triangle
      ++touching;
      expect_energy(probe, z, "pair");
      expect_gradients(probe, z, "pair");
    }
    EXPECT_GT(touching, 20);
  }
}

// Side A is below side B. If it came from above they have passed through each other: the constraint of a vertex
// grows with the distance, and leads back; edges wait for it.
TEST(CompliantForms, PairsThatHavePassedLeadBack) {
  const double corners[9] = {-1, -1, 0.2, 1, -1, 0.2, 0.1, 1, 0.2};  // of the triangle, as seen from the vertex
  const double ends[9] = {2, 0, 0, 1, -1, 0.2, 1.2, 1, 0.2};         // of edges along x and about y
  for (const bool edges : {false, true}) {
    const double* z = edges ? ends : corners;
    double value[2], upwards[2];  // by where it came from: above, below
    for (const int i : {0, 1}) {
      Probe probe(pair(edges, i == 0 ? 1 : -1));
      expect_gradients(probe, z, "passed");
      probe.constrain(z);
      value[i] = probe.value(0);
      upwards[i] = -(probe.gradient(0, 5) + probe.gradient(0, 8)) - (edges ? 0 : probe.gradient(0, 2));
    }
    EXPECT_LT(upwards[1], 0);
    if (edges) {
      EXPECT_EQ(value[0], 0);
      EXPECT_EQ(upwards[0], 0);
    } else {
      EXPECT_LT(value[0], value[1]);
      EXPECT_GT(upwards[0], 0);
    }
  }
}

TEST(CompliantForms, EveryObstacleIsItsDistance) {
  for (const auto& entry : registry<ObstaclePlugin>()) {
    Random random(15);
    for (int i = 0; i < 40; ++i) {
      const auto obstacle = draw_obstacle(entry.plugin, random);
      Probe probe(make_obstacle_potential(obstacle, 1e4));
      ASSERT_TRUE(probe.constrains()) << entry.name;
      const double z[3] = {random.normal(), random.normal(), random.normal()};
      expect_energy(probe, z, entry.name);
      if (smooth_at(*obstacle, z, 1e-6)) expect_gradients(probe, z, entry.name);
      EXPECT_TRUE(probe.form().one_sided());
    }
  }
}

// A negative first Lame constant would make a constraint of negative stiffness.
TEST(CompliantForms, NoFormWithANegativeStiffness) {
  EXPECT_EQ(material({"", "neo_hookean", {{"young", 1e5}, {"poisson", -0.1}}})->compliant_form({}), nullptr);
  EXPECT_EQ(material({"", "corotated", {{"young", 1e5}, {"poisson", -0.2}}})->compliant_form({}), nullptr);
  EXPECT_NE(material({"", "corotated", {{"young", 1e5}, {"poisson", 0.0}}})->compliant_form({}), nullptr);
}

TEST(CompliantForms, MessagesNameTheRightMaterials) {
  const std::vector<std::string> all = {
      "arap", "corotated", "fixed_corotated", "neo_hookean", "simplified_neo_hookean", "st_venant_kirchhoff"};
  EXPECT_EQ(compliant_materials(), all);
}

}  // namespace
}  // namespace resilin::test
