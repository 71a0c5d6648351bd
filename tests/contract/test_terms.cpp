// Energies that are not materials: derivatives by finite differences, no net force where translations cost nothing,
// and projections that are what the solver takes them for.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "potentials/evaluate.h"
#include "potentials/material.h"
#include "potentials/pin.h"
#include "potentials/spring.h"
#include "resilin/registry.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

Model bare(int vertices, std::uint64_t seed) {
  Model model;
  Random random(seed);
  std::vector<double> x(3 * vertices);
  for (double& c : x) c = random.normal();
  model.add_vertices(x);
  std::fill(model.mass.begin(), model.mass.end(), 1.0);
  model.gravity = {0, 0, 0};
  return model;
}

// Models of eight random vertices with one term each.
const std::vector<int> ids = {0, 1, 2, 3, 4, 5, 6, 7};

Model springs() {
  Model model = bare(8, 11);
  const std::vector<int> edges = {0, 1, 1, 2, 2, 3, 3, 0, 0, 2, 4, 5, 5, 6, 6, 7, 4, 7, 1, 5};
  const std::vector<double> k(10, 40.0), length(10, 1.1);
  model.terms.push_back({"springs", Elements::springs(edges), {make_spring(k, length)}});
  return model;
}

Model soft_pins() {
  Model model = bare(8, 11);
  const std::vector<double> start(24, 0.2);
  model.terms.push_back({"soft pins", Elements::points(ids), {make_pin(30, start, Motion{})}});
  return model;
}

Model tilted_plane() {
  Model model = bare(8, 11);
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  const Value tilted{Value::Object{{"normal", Value::List{1.0, 2.0, -1.0}}, {"height", 0.3}}};
  model.terms.push_back({"tilted plane",
                         Elements::points(ids),
                         {make_obstacle_potential(plane.make(plane.params.read(tilted)), 50)}});
  return model;
}

TEST(TermContract, DerivativesMatchFiniteDifferences) {
  for (Model model : {springs(), soft_pins(), tilted_plane()}) {
    const std::string name = model.terms[0].name;
    std::vector<double> q = model.rest;
    OneStage stage(std::move(model), q, 1e3);
    DynamicSystem& system = stage.system();
    std::vector<double> g(q.size()), plus(q.size()), minus(q.size()), unit(q.size()), column(q.size());
    const double value = system.problem().evaluate(q.data(), g.data()).value();
    SymmetricMatrix hessian = system.problem().linearise(system.space().rest().data()).pattern();
    system.problem().linearise(q.data()).assemble(hessian, false);
    ASSERT_TRUE(std::isfinite(value));
    double scale = 0;
    for (const double v : hessian.value) scale = std::max(scale, std::abs(v));
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double step = 1e-5;
      std::vector<double> x = q;
      x[i] = q[i] + step;
      const double up = system.problem().evaluate(x.data(), plus.data()).value();
      x[i] = q[i] - step;
      const double down = system.problem().evaluate(x.data(), minus.data()).value();
      EXPECT_NEAR((up - down) / (2 * step), g[i], 1e-7 * std::max(1.0, std::abs(value))) << name;
      std::fill(unit.begin(), unit.end(), 0.0);
      unit[i] = 1;
      hessian.multiply(unit.data(), column.data());
      for (std::size_t j = 0; j < q.size(); ++j)
        EXPECT_NEAR((plus[j] - minus[j]) / (2 * step), column[j], 1e-6 * scale) << name;
    }
  }
}

TEST(TermContract, TranslationFreeTermsHaveNoNetForce) {
  const Model model = springs();
  std::vector<double> q = model.rest, g(q.size());
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  system.potential_energy(q.data(), g.data());
  double net[3] = {}, total = 0;
  for (std::size_t i = 0; i < g.size(); ++i) net[i % 3] += g[i], total += std::abs(g[i]);
  for (const double f : net) EXPECT_NEAR(f, 0, 1e-14 * total);
}

// psi = k/2 |z - p|^2 with k from quadratic(): that is what projective dynamics assumes.
void check_projection(const Model& source, const std::string& name) {
  Model model = source;
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  Random random(5);
  std::vector<double> q = model.rest;
  for (double& x : q) x += 0.3 * random.normal();
  const auto& potential = model.terms[0].elastic[0];
  ASSERT_TRUE(potential->projects()) << name;
  const int rows = model.terms[0].elements.rows();
  system.problem().sweep(q.data(), nullptr, [&](int, int, SweepBlock& sweep) {
    Block& block = sweep.block;
    evaluate(system.elements().kernels(0), block, 1);
    alignas(64) double p[block_packs * 9 * 8];
    system.elements().kernels(0).elastic()[0]->project(block, p);
    for (int pack = 0; pack < block.packs; ++pack)
      for (int l = 0; l < 8; ++l) {
        const int element = system.elements().terms()[0].slot_element()[(block.first + pack) * 8 + l];
        double k[9], squares = 0;
        potential->quadratic(element, 1, k);
        for (int c = 0; c < 3 * rows; ++c) {
          const double gap = block.z[(pack * 3 * rows + c) * 8 + l] - p[(pack * 3 * rows + c) * 8 + l];
          squares += gap * gap;
          EXPECT_NEAR(block.dpsi_z[(pack * 3 * rows + c) * 8 + l], k[0] * gap, 1e-10 * k[0]) << name;
        }
        EXPECT_NEAR(block.psi[pack * 8 + l], 0.5 * k[0] * squares, 1e-12 * k[0] * (1 + squares)) << name;
      }
  });
}

TEST(TermContract, ProjectiveEnergiesAreHalfKTimesSquaredDistance) {
  check_projection(springs(), "springs");
  check_projection(soft_pins(), "soft pins");
  for (const auto& entry : registry<MaterialPlugin>()) {
    Model model = solid(beam_mesh(1), 1000, entry.name, {});
    if (model.terms[0].elastic[0]->projects()) check_projection(model, entry.name);
  }
}

}  // namespace
}  // namespace resilin::test
