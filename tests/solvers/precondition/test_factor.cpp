#include <gtest/gtest.h>

#include <cmath>

#include "potentials/pin.h"
#include "solvers/precondition/factor.h"
#include "solvers/precondition/low_rank.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

TEST(Factor, SolvesTheQuadraticOfTheFreeVertices) {
  for (const char* linear : {"cholesky", "cholesky_float"}) {
    Model model = solid(beam_mesh(2), 1000, "neo_hookean", {});
    pin(model, {0, 4, 9});
    const auto rest = model.rest;
    OneStage stage(std::move(model), rest, 0.02);
    Problem& problem = stage.problem();
    Factor factor(linear);
    EXPECT_TRUE(factor.prepare(problem));
    EXPECT_FALSE(factor.prepare(problem)) << "the same step size needs no new factor";
    Random random(1);
    std::vector<double> r(rest.size()), d(rest.size());
    for (double& x : r) x = random.normal();
    factor.apply(r.data(), d.data());
    const SymmetricMatrix a = problem.constant().matrix();
    std::vector<double> packed(3 * a.size()), product(3 * a.size());
    for (int v = 0; v < problem.space().vertices(); ++v)
      for (int k = 0; k < 3; ++k) {
        const int f = problem.space().free_index()[v];
        if (f >= 0) packed[3 * f + k] = d[3 * v + k];
        else EXPECT_EQ(d[3 * v + k], 0.0);
      }
    a.multiply(packed.data(), product.data());
    const double tolerance = std::string(linear) == "cholesky" ? 1e-11 : 1e-4;
    for (int v = 0; v < problem.space().vertices(); ++v)
      for (int k = 0; k < 3; ++k) {
        const int f = problem.space().free_index()[v];
        if (f >= 0) {
          EXPECT_NEAR(product[3 * f + k], r[3 * v + k], tolerance) << linear;
        }
      }
  }
}

TEST(Factor, MeanStepOfAFreeBodyIsExactEvenInFloat) {
  Model model = solid(beam_mesh(2), 1000, "corotated", {{"young", 1e7}, {"poisson", 0.3}});
  const auto rest = model.rest;
  const auto mass = model.mass;
  OneStage stage(std::move(model), rest, 0.02);
  Factor factor("cholesky_float");
  factor.prepare(stage.problem());
  Random random(2);
  std::vector<double> r(rest.size()), d(rest.size());
  for (double& x : r) x = random.normal();
  factor.apply(r.data(), d.data());
  const std::vector<double> ones(mass.size(), 1.0);
  const auto moved = momentum(mass, d), force = momentum(ones, r);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(moved[k], 0.02 * 0.02 * force[k], 1e-13 * std::abs(force[k]));
}

// The two-loop recursion solves in place; a dropped body fell through the ground when this was wrong.
TEST(Factor, SolvesInPlace) {
  Model model = solid(beam_mesh(1), 1000, "arap", {});
  const auto rest = model.rest;
  OneStage stage(std::move(model), rest, 0.02);
  Factor factor("cholesky");
  factor.prepare(stage.problem());
  Random random(3);
  std::vector<double> r(rest.size()), d(rest.size());
  for (double& x : r) x = random.normal();
  factor.apply(r.data(), d.data());
  factor.apply(r.data(), r.data());
  EXPECT_EQ(r, d);
}

// A drag stands in no factor. Its row stays right when the factor is that of another step or stiffness.
TEST(Factor, AHeldVertexFollowsTheFactor) {
  Model model = solid(beam_mesh(2), 1000, "arap", {{"stiffness", 1e6}});
  const auto q = model.rest;
  model.listed.push_back(
      {"hand", Elements::points(std::array{3}), {make_pin(1e5, std::span(q).subspan(9, 3), {})}});
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  Stage stage;
  stage.origin = stage.target = stage.guess = q;
  stage.velocity.assign(q.size(), 0.0);
  Random random(5);
  std::vector<double> r(q.size()), kept(q.size()), fresh(q.size());
  for (double& x : r) x = random.normal();
  Factor factor("cholesky");
  LowRank drags(factor);
  const auto expect_right = [&](const char* what) {
    Problem& problem = system.begin(stage);
    Factor other("cholesky");
    LowRank other_drags(other);
    factor.prepare(problem), other.prepare(problem);
    drags.set(problem, drag_rows(problem), factor.version());
    other_drags.set(problem, drag_rows(problem), other.version());
    drags.apply(r.data(), kept.data());
    other_drags.apply(r.data(), fresh.data());
    EXPECT_EQ(kept, fresh) << what;
  };
  stage.tau = 0.02;
  expect_right("at first");
  stage.tau = 0.01;
  expect_right("another step");
  set_material(model, 0, "arap", {{"stiffness", 1e7}});
  system.update();
  expect_right("another material");
}

}  // namespace
}  // namespace resilin::test
