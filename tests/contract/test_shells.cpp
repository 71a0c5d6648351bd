// Energies of shells, over the registries: membranes of every material, added potentials and bending. Derivatives
// by finite differences, no cost and no force for rigid motions at rest, no net force and torque anywhere, and what
// a local step of ADMM finds is a minimum.
#include <gtest/gtest.h>

#include <cmath>

#include "potentials/added/added.h"
#include "potentials/bending/bending.h"
#include "potentials/damping/damping.h"
#include "potentials/evaluate.h"
#include "potentials/material.h"
#include "resilin/builder.h"
#include "resilin/registry.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

struct Case {
  std::string name;
  Skin skin;
};

bool has_defaults(const Params& params, const std::string& material) {
  try {
    const Settings settings = params.defaults();
    const ElementSettings one{&settings, 0};
    plugin<MaterialPlugin>("material", material, "test").make_membrane(std::span(&one, 1));
    return true;
  } catch (const InputError&) {  // a spline without curves
    return false;
  }
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const auto& entry : registry<MaterialPlugin>())
    if (entry.plugin.make_membrane != nullptr && has_defaults(entry.plugin.params, entry.name))
      out.push_back({entry.name, {.thickness = 0.01, .material = entry.name, .bending = "none"}});
  for (const auto& entry : registry<PotentialPlugin>())
    if (std::find(entry.plugin.on.begin(), entry.plugin.on.end(), ElementKind::triangle) != entry.plugin.on.end()) {
      Skin skin{.thickness = 0.01, .material = "none", .bending = "none", .potentials = {{entry.name}}};
      if (entry.plugin.params.find("stiffness") != nullptr) skin.potentials[0].params = {{"stiffness", 1e5}};
      out.push_back({entry.name, skin});
    }
  for (const auto& entry : registry<BendingPlugin>()) {
    const Skin skin{.thickness = 0.01, .material = "none", .bending = {entry.name, {{"stiffness", 2.0}}}};
    out.push_back({entry.name + "_bending", skin});
    for (const Param& param : entry.plugin.params.list()) {
      if (param.type != Param::Type::boolean) continue;
      out.push_back({entry.name + "_bending_" + param.name, skin});
      out.back().skin.bending.params.emplace_back(param.name, !param.fallback.boolean());
    }
  }
  return out;
}

// A flat patch with triangles of several shapes and vertices with several counts of neighbours; every shell can
// stand on it.
TriangleMesh patch() {
  TriangleMesh mesh = grid_sheet({{1.2, 1}, {3, 3}, GridPattern::alternating});
  Random random(3);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (i % 3 != 2) mesh.vertices[i] += 0.05 * random.normal();
  return mesh;
}

class Shells : public ::testing::TestWithParam<Case> {
 protected:
  Model model() const {
    Builder builder;
    builder.gravity({0, 0, 0});
    builder.add(Shell{.mesh = patch(), .skin = GetParam().skin});
    return builder.model();
  }
};

std::vector<double> moved(const std::vector<double>& rest, double amplitude, std::uint64_t seed) {
  std::vector<double> out = rest;
  Random random(seed);
  for (double& x : out) x += amplitude * random.normal();
  return out;
}

TEST_P(Shells, DerivativesMatchFiniteDifferences) {
  for (const double amplitude : {0.02, 0.15}) {
    Model model = this->model();
    const std::vector<double> q = moved(model.rest, amplitude, 7);
    OneStage stage(std::move(model), q, 1e3);
    DynamicSystem& system = stage.system();
    std::vector<double> g(q.size()), plus(q.size()), minus(q.size()), unit(q.size()), column(q.size());
    system.problem().evaluate(q.data(), g.data());
    SymmetricMatrix hessian = system.problem().linearise(system.space().rest().data()).pattern();
    system.problem().linearise(q.data()).assemble(hessian, false);
    double scale = 0, largest = 0;
    for (const double v : hessian.value) scale = std::max(scale, std::abs(v));
    for (const double v : g) largest = std::max(largest, std::abs(v));
    ASSERT_GT(scale, 0);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double step = 1e-6;
      std::vector<double> x = q;
      x[i] = q[i] + step;
      const double up = system.problem().evaluate(x.data(), plus.data()).value();
      x[i] = q[i] - step;
      const double down = system.problem().evaluate(x.data(), minus.data()).value();
      EXPECT_NEAR((up - down) / (2 * step), g[i], 1e-6 * (largest + step * scale));
      std::fill(unit.begin(), unit.end(), 0.0);
      unit[i] = 1;
      hessian.multiply(unit.data(), column.data());
      for (std::size_t j = 0; j < q.size(); ++j)
        EXPECT_NEAR((plus[j] - minus[j]) / (2 * step), column[j], 2e-5 * scale) << i << " " << j;
    }
  }
}

TEST_P(Shells, RigidMotionsOfTheRestShapeCostNothing) {
  Model model = this->model();
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  std::vector<double> q = model.rest, g(q.size());
  rotate(q, Vec3{1, 2, -1}, 77);
  translate(q, {3, -1, 2});
  double stiffness = 0;
  for (int e = 0; e < model.terms[0].elements.size(); ++e) {
    double k[9] = {};
    model.terms[0].elastic[0]->quadratic(e, 1, k);
    stiffness += model.terms[0].elements.measure(e) * k[0];
  }
  EXPECT_NEAR(system.potential_energy(q.data(), g.data()), 0, 1e-16 * stiffness);
  for (const double f : g) EXPECT_NEAR(f, 0, 1e-12 * stiffness);
}

TEST_P(Shells, NoNetForceAndNoTorque) {
  Model model = this->model();
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  const std::vector<double> q = moved(model.rest, 0.2, 5);
  std::vector<double> g(q.size());
  system.potential_energy(q.data(), g.data());
  double net[3] = {}, torque[3] = {}, total = 0;
  for (std::size_t v = 0; v < g.size(); v += 3) {
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      net[k] += g[v + k], total += std::abs(g[v + k]);
      torque[k] += q[v + a] * g[v + b] - q[v + b] * g[v + a];
    }
  }
  ASSERT_GT(total, 0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(net[k], 0, 1e-13 * total);
    EXPECT_NEAR(torque[k], 0, 1e-12 * total);
  }
}

TEST_P(Shells, ProjectionsAreNearestPoints) {
  Model model = this->model();
  if (!model.terms[0].elastic[0]->projects()) return;
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  const std::vector<double> q = moved(model.rest, 0.2, 9);
  const auto& potential = model.terms[0].elastic[0];
  const int components = 3 * model.terms[0].elements.rows();
  system.problem().sweep(q.data(), nullptr, [&](int, int, SweepBlock& sweep) {
    Block& block = sweep.block;
    evaluate(system.elements().kernels(0), block, 1);
    alignas(64) double p[block_packs * 9 * 8];
    system.elements().kernels(0).elastic()[0]->project(block, p);
    for (int i = 0; i < block.packs * 8; ++i) {
      const int pack = i / 8, lane = i % 8;
      double k[9], squares = 0;
      potential->quadratic(system.elements().terms()[0].slot_element()[(block.first + pack) * 8 + lane], 1, k);
      for (int c = 0; c < components; ++c) {
        const int at = (pack * components + c) * 8 + lane;
        const double gap = block.z[at] - p[at];
        squares += gap * gap;
        EXPECT_NEAR(block.dpsi_z[at], k[0] * gap, 1e-10 * k[0]);
      }
      EXPECT_NEAR(block.psi[pack * 8 + lane], 0.5 * k[0] * squares, 1e-12 * k[0] * (1 + squares));
    }
  });
}

// One step from a shape that is disturbed by `amplitude`.
std::vector<double> solved(const Skin& skin, double amplitude, const std::string& solver, Values params) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const TriangleMesh mesh = patch();
  const int body = builder.add(Shell{.mesh = mesh, .skin = skin});
  builder.place(body, moved(mesh.vertices, amplitude, 21));
  const auto simulation = builder.simulation({.step = 0.02, .solver = {solver, std::move(params)}, .threads = 1});
  simulation->step();
  return simulation->state().q;
}

const Values exact{{"iterations", 200}, {"tolerance", 1e-9}};

TEST_P(Shells, SolversReachNewtonsMinimum) {
  const Skin& skin = GetParam().skin;
  const auto reference = solved(skin, 0.02, "newton", exact);
  EXPECT_LT(largest_difference(solved(skin, 0.02, "quasi_newton", {{"iterations", 2000}, {"tolerance", 1e-7}}),
                               reference),
            1e-4);
  EXPECT_LT(largest_difference(solved(skin, 0.02, "admm", {{"iterations", 5000}, {"tolerance", 1e-7}}), reference),
            1e-4);
  if (model().terms[0].elastic[0]->projects()) {
    const Values many{{"iterations", 20000}, {"tolerance", 1e-7}};
    EXPECT_LT(largest_difference(solved(skin, 0.02, "projective_dynamics", many), reference), 1e-4);
  }
}

// XPBD takes the gradients of constraints where it met them: it goes the right way, and not to the minimum.
TEST_P(Shells, XpbdGoesTowardsNewtonsMinimum) {
  if (model().terms[0].elastic[0]->compliant_form({}) == nullptr) return;
  const Skin& skin = GetParam().skin;
  for (const double amplitude : {1e-2, 1e-3}) {
    const auto wanted = solved(skin, amplitude, "newton", exact),
               found = solved(skin, amplitude, "xpbd", {{"iterations", 2000}});
    const auto start = moved(patch().vertices, amplitude, 21);
    EXPECT_LE(largest_difference(found, wanted), 0.2 * largest_difference(start, wanted)) << amplitude;
  }
}

// ---- damping
// --------------------------------------------------------------------------------------------------------

Builder damped_patch(const std::string& damping) {
  Builder builder;
  builder.gravity({0, 0, 0});
  const TriangleMesh mesh = patch();
  const int body = builder.add(Shell{.mesh = mesh,
                                     .skin = {.thickness = 0.01,
                                              .material = {"corotated", {{"young", 1e4}, {"poisson", 0.3}}},
                                              .bending = {"quadratic", {{"stiffness", 0.1}}}}});
  if (!damping.empty()) builder.damp(body, damping);
  std::vector<double> q = moved(mesh.vertices, 0.05, 13), v = moved(std::vector<double>(q.size(), 0.0), 0.5, 17);
  builder.place(body, q);
  builder.launch(body, v);
  return builder;
}

TEST(DampedShells, DerivativesMatchFiniteDifferences) {
  for (const auto& entry : registry<DampingPlugin>()) {
    if (!can_damp(entry.plugin.damps, ElementKind::triangle)) continue;
    const Builder builder = damped_patch(entry.name);
    const State state = builder.state();
    OneStage stage(builder.model(), state.q, state.v, 0.02, 1);
    DynamicSystem& system = stage.system();
    ASSERT_TRUE(system.damped()) << entry.name;
    const std::vector<double> q = moved(state.q, 0.02, 19);
    std::vector<double> g(q.size());
    system.problem().evaluate(q.data(), g.data());
    double scale = 0;
    for (const double f : g) scale = std::max(scale, std::abs(f));
    for (std::size_t i = 0; i < q.size(); ++i) {
      std::vector<double> x = q;
      x[i] = q[i] + 1e-6;
      const double up = system.problem().evaluate(x.data(), nullptr).value();
      x[i] = q[i] - 1e-6;
      EXPECT_NEAR((up - system.problem().evaluate(x.data(), nullptr).value()) / 2e-6, g[i], 1e-5 * scale)
          << entry.name;
    }
  }
}

TEST(DampedShells, LoseMoreEnergyThanWithout) {
  const auto left = [](const std::string& damping) {
    const auto simulation = damped_patch(damping).simulation(
        {.step = 0.005, .solver = {"newton", {{"tolerance", 1e-8}}}, .threads = 1});
    for (int i = 0; i < 20; ++i) EXPECT_EQ(simulation->step().status, Status::converged) << damping;
    const Energy energy = simulation->energy();
    return energy.kinetic + energy.elastic;
  };
  const double without = left("");
  for (const auto& entry : registry<DampingPlugin>())
    if (can_damp(entry.plugin.damps, ElementKind::triangle)) {
      EXPECT_LT(left(entry.name), 0.999 * without) << entry.name;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Shells, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace resilin::test
