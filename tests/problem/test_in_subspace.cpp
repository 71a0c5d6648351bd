#include <gtest/gtest.h>

#include <cmath>

#include "problem/dynamic_system.h"
#include "problem/matrix_subspace.h"
#include "simulation/solve_stage.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

using Matrix = PlainMatrix;

Matrix identity(int size) {
  Matrix u{size, size};
  for (int i = 0; i < size; ++i) u(i, i) = 1;
  return u;
}

// A stage of the beam, twisted, with its objective on vertices and in a subspace.
struct Twins {
  Twins(const std::string& material, const Values& params, const Matrix& u, bool pinned = false) {
    model = solid(beam_mesh(1), 1000, material, params);
    if (pinned) pin(model, {0, 3});
    subspace = std::make_unique<MatrixSubspace>(model, u.rows > 0 ? u : identity(model.vertex_count()));
    whole = std::make_unique<DynamicSystem>(model, pool);
    reduced = std::make_unique<DynamicSystem>(model, pool, subspace.get());
    stage.tau = stage.time = 0.05;
    stage.origin = stage.target = stage.guess = twisted(model.rest, 60);
    stage.velocity.assign(stage.origin.size(), 0.0);
    inside = stage;
    for (auto* v : {&inside.origin, &inside.target, &inside.guess}) {
      std::vector<double> q(static_cast<std::size_t>(subspace->size()));
      subspace->project(v->data(), q.data());
      *v = q;
    }
    inside.velocity.assign(inside.origin.size(), 0.0);
    whole->begin(stage), reduced->begin(inside);
  }
  Model model;
  ThreadPool pool{2};
  std::unique_ptr<MatrixSubspace> subspace;
  std::unique_ptr<DynamicSystem> whole, reduced;
  Stage stage, inside;
};

Matrix random_basis(int rows, int columns, std::uint64_t seed) {
  Random random(seed);
  Matrix u{rows, columns};
  for (double& value : u.value) value = random.normal();
  for (int v = 0; v < rows; ++v) u(v, 0) = 1;
  return u;
}

TEST(InSubspace, OfAllVerticesItIsTheSameFunction) {
  for (const char* material : {"arap", "neo_hookean"}) {
    Twins twins(material, {}, {});
    const std::vector<double> y = twisted(twins.model.rest, 40);
    std::vector<double> g(y.size()), reduced(y.size());
    const Evaluation expected = twins.whole->problem().evaluate(y.data(), g.data()),
                     found = twins.reduced->problem().evaluate(y.data(), reduced.data());
    EXPECT_NEAR(found.value(), expected.value(), 1e-12 * expected.value());
    EXPECT_NEAR(found.inertia(), expected.inertia(), 1e-12 * expected.inertia());
    for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(reduced[i], g[i], 1e-11 * expected.gradient_norm());
  }
}

TEST(InSubspace, GradientsMatchFiniteDifferences) {
  Twins twins("neo_hookean", {}, random_basis(20, 7, 3), true);
  std::vector<double> y = twins.inside.guess, g(y.size());
  Random random(5);
  for (double& v : y) v += 0.01 * random.normal();
  const double norm = twins.reduced->problem().evaluate(y.data(), g.data()).gradient_norm();
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double kept = y[i], step = 1e-6;
    y[i] = kept + step;
    const double up = twins.reduced->problem().evaluate(y.data(), nullptr).value();
    y[i] = kept - step;
    const double down = twins.reduced->problem().evaluate(y.data(), nullptr).value();
    y[i] = kept;
    EXPECT_NEAR((up - down) / (2 * step), g[i], 1e-6 * norm) << i;
  }
}

// With every element sampled and an exact fit, projective dynamics takes the same steps (E48).
TEST(InSubspace, ProjectiveDynamicsOfAllVerticesTakesTheSameSteps) {
  Twins twins("arap", {{"stiffness", 1e6}}, {});
  const auto solver = published_solver("projective_dynamics", {{"linear_solver", "cholesky"}});
  const auto other = published_solver("projective_dynamics", {{"linear_solver", "cholesky"}});
  StopRule stop;
  stop.iterations = 20, stop.tolerance = 0;
  std::vector<std::vector<double>> iterates;
  solver->observe = [&](const std::vector<double>& y, const IterationRecord&) { iterates.push_back(y); };
  std::size_t at = 0;
  double largest = 0;
  other->observe = [&](const std::vector<double>& y, const IterationRecord&) {
    largest = std::max(largest, largest_difference(y, iterates[at++]));
  };
  Memory memory;
  std::vector<double> y = twins.stage.guess;
  solve_stage(*twins.whole, *solver, twins.stage, y, memory, stop);
  y = twins.inside.guess;
  solve_stage(*twins.reduced, *other, twins.inside, y, memory, stop);
  EXPECT_EQ(at, 21u);
  EXPECT_LE(largest, 1e-10 * 4);
}

TEST(InSubspace, QuasiNewtonFindsTheMinimumOfTheSubspace) {
  Twins twins("neo_hookean", {}, random_basis(20, 9, 1), true);
  const auto solver = published_solver("quasi_newton", {{"method", "robust"}});
  StopRule stop;
  stop.iterations = 500, stop.gradient = 1e-9;
  Memory memory;
  std::vector<double> y = twins.inside.guess, g(y.size());
  const double before = twins.reduced->problem().evaluate(y.data(), g.data()).gradient_norm();
  const SolveReport report = solve_stage(*twins.reduced, *solver, twins.inside, y, memory, stop);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LE(twins.reduced->problem().evaluate(y.data(), g.data()).gradient_norm(), 1e-8 * before);
}

TEST(InSubspace, GravityIsExactAndForcesAreThoseOfTheirVertices) {
  Model model = solid(beam_mesh(1), 1000, "arap", {});
  model.gravity = {1, -9.81, 2};
  model.forces.push_back({{3}, {5, 0, 1}, false, {}});
  const Matrix u = random_basis(model.vertex_count(), 6, 2);
  MatrixSubspace subspace(model, u);
  ThreadPool pool(1);
  DynamicSystem system(model, pool, &subspace);
  std::vector<double> a(18), p(18), lifted(model.rest.size());
  system.external(0, a.data());
  for (int r = 0; r < 6; ++r)  // U^T M a = U^T f with the force taken away: gravity
    for (int k = 0; k < 3; ++k) {
      std::vector<double> f(18, 0.0);
      for (int c = 0; c < 6; ++c)
        f[static_cast<std::size_t>(3 * c + k)] = u(3, c) * model.forces[0].vector[static_cast<std::size_t>(k)];
      subspace.solve_inertia(f.data(), f.data());
      a[static_cast<std::size_t>(3 * r + k)] -= f[static_cast<std::size_t>(3 * r + k)];
    }
  subspace.lift(a.data(), lifted.data());
  for (std::size_t i = 0; i < lifted.size(); ++i) EXPECT_NEAR(lifted[i], model.gravity[i % 3], 1e-9);
}

}  // namespace
}  // namespace resilin::test
