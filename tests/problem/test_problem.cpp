#include <gtest/gtest.h>

#include <cmath>

#include "linear/dense.h"
#include "potentials/spring.h"
#include "problem/dynamic_system.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(Problem, InertiaIsTheMassWeightedDistanceToTheTarget) {
  Model model = solid(beam_mesh(1), 1000, "arap", {});
  auto q = model.rest;
  const auto mass = model.mass;
  OneStage stage(std::move(model), q, 0.1);
  std::vector<double> y = q;
  Random random(1);
  double expected = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double move = 0.01 * random.normal();
    y[i] += move;
    expected += 0.5 / 0.01 * mass[i / 3] * move * move;
  }
  EXPECT_NEAR(stage.system().problem().evaluate(y.data(), nullptr).inertia(), expected, 1e-12 * expected);
}

TEST(Problem, EnergyOnlyAndWithGradientAgree) {
  Model model = solid(beam_mesh(2), 1000, "neo_hookean", {});
  const auto q = twisted(model.rest, 60);
  OneStage stage(std::move(model), q, 0.1);
  std::vector<double> g(q.size());
  EXPECT_EQ(stage.system().problem().evaluate(q.data(), nullptr).value(),
            stage.system().problem().evaluate(q.data(), g.data()).value());
}

TEST(Problem, GradientAndHessianMatchFiniteDifferencesWithPinsAndSeveralTerms) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {{"young", 1e4}, {"poisson", 0.3}});
  const std::vector<int> edges = {0, 17, 3, 9};
  const std::vector<double> k = {300, 500}, length = {1, 0.2};
  model.terms.push_back({"springs", Elements::springs(edges), {make_spring(k, length)}});
  pin(model, {1, 5});
  auto q = twisted(model.rest, 30);
  OneStage stage(std::move(model), q, 0.05);
  DynamicSystem& system = stage.system();
  std::vector<double> y = stage.stage().guess, g(q.size()), up(q.size()), down(q.size());
  const double scale = system.problem().evaluate(y.data(), g.data()).gradient_norm();
  SymmetricMatrix h = system.problem().linearise(system.space().rest().data()).pattern();
  system.problem().linearise(y.data()).assemble(h, false);
  double h_scale = 0;
  for (const double v : h.value) h_scale = std::max(h_scale, std::abs(v));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const int row = system.space().free_index()[i / 3];
    if (row < 0) {
      EXPECT_EQ(g[i], 0.0) << "pinned";
      continue;
    }
    const double step = 1e-6, kept = y[i];
    y[i] = kept + step;
    const double plus = system.problem().evaluate(y.data(), up.data()).value();
    y[i] = kept - step;
    const double minus = system.problem().evaluate(y.data(), down.data()).value();
    y[i] = kept;
    EXPECT_NEAR((plus - minus) / (2 * step), g[i], 1e-6 * scale);
    std::vector<double> unit(3 * h.size(), 0.0), column(3 * h.size());
    unit[3 * row + i % 3] = 1;
    h.multiply(unit.data(), column.data());
    for (std::size_t j = 0; j < y.size(); ++j) {
      const int other = system.space().free_index()[j / 3];
      if (other >= 0) {
        EXPECT_NEAR((up[j] - down[j]) / (2 * step), column[3 * other + j % 3], 1e-6 * h_scale);
      }
    }
  }
}

// The filter clamps the negative eigenvalues of each element: what it leaves has none, and it only adds.
TEST(Problem, FilteredHessianIsPositiveSemidefinite) {
  Model model = solid(beam_mesh(1), 1, "neo_hookean", {});
  auto q = model.rest;
  Random random(9);
  for (double& x : q) x += 0.4 * random.normal();  // inverted and crushed elements
  OneStage stage(std::move(model), q, 1e3);
  const auto hessian = [&](bool filtered) {
    SymmetricMatrix h = stage.problem().linearise(stage.system().space().rest().data()).pattern();
    stage.problem().linearise(q.data()).assemble(h, filtered);
    const int n = static_cast<int>(q.size());
    DenseMatrix dense(n, n);
    for (int j = 0; j < n; ++j) {
      std::vector<double> unit(q.size());
      unit[static_cast<std::size_t>(j)] = 1;
      h.multiply(unit.data(), &dense(0, j));
    }
    return dense;
  };
  const DenseMatrix exact = hessian(false), filtered = hessian(true);
  DenseMatrix added = filtered, ignored;
  for (std::size_t i = 0; i < added.value.size(); ++i) added.value[i] -= exact.value[i];
  const auto spectrum = symmetric_eigen(filtered, ignored);
  EXPECT_LT(symmetric_eigen(exact, ignored).front(), -1e-3 * spectrum.back()) << "not a test otherwise";
  EXPECT_GT(spectrum.front(), -1e-12 * spectrum.back());
  EXPECT_GT(symmetric_eigen(added, ignored).front(), -1e-12 * spectrum.back());
}

TEST(Problem, FloatingComponentsAreThoseThatNothingHolds) {
  Builder builder;
  builder.add(Solid{.mesh = beam_mesh(1), .material = "arap"});
  const int second = builder.add(Solid{.mesh = beam_mesh(1), .material = "arap"});
  builder.pin({.body = second, .vertices = {0}});
  const Model model = std::move(builder).model();
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  ASSERT_EQ(system.space().floating_components().size(), 1u);
  EXPECT_EQ(static_cast<int>(system.space().floating_components()[0].size()), model.bodies[0].vertex_count);
  EXPECT_EQ(system.space().free_rows(), model.vertex_count() - 1);
}

TEST(Problem, SameBitsForAnyThreadCount) {
  std::vector<double> first;
  for (const int threads : {1, 2, 5}) {
    Model model = solid(beam_mesh(6), 1000, "corotated", {});
    const auto q = twisted(model.rest, 120);
    OneStage stage(std::move(model), q, 0.1, threads);
    EXPECT_GT(stage.system().elements().partition().parts(), 3);
    std::vector<double> g(q.size());
    g.push_back(stage.system().problem().evaluate(q.data(), g.data()).value());
    if (threads == 1) first = g;
    EXPECT_EQ(g, first);
  }
}

}  // namespace
}  // namespace resilin::test
