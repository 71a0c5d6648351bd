#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "contact/obstacles/obstacle_potential.h"
#include "potentials/material.h"
#include "resilin/registry.h"
#include "solvers/local/admm_weights.h"
#include "solvers/local/anderson.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

OneStage released_twist(const std::string& material, const Values& params, double step, int threads = 0) {
  Model model = solid(beam_mesh(2), 1000, material, params);
  const auto q = twisted(model.rest, 180);
  return {std::move(model), q, std::vector<double>(q.size(), 0.0), step, threads};
}

std::vector<double> errors_of(OneStage& stage, const std::string& solver, const Values& params, int iterations) {
  std::vector<double> y;
  const double minimum = stage.minimum(y, 1e-10);
  const auto made = published_solver(solver, with_double_factor(solver, params));
  made->tracing = true;
  return relative_errors(stage.solve(*made, {.iterations = iterations, .tolerance = 0}, y), minimum);
}

// c of the first element of every body; bodies of the same material share a term.
std::vector<double> factors_of(Problem& problem) {
  std::vector<double> out;
  const ElementWeights stiffness = admm_stiffness(problem), weights = automatic_weights(problem, stiffness);
  for (const Body& body : problem.elements().model().bodies) {
    const BodyElements& of = body.elements[0];
    out.push_back(std::sqrt(weights[of.term][of.first] / stiffness[of.term][of.first]));
  }
  return out;
}

// X44: with w = sqrt(k V) the local and global steps are nearly those of projective dynamics (E67).
TEST(Admm, WithUnitWeightTracksProjectiveDynamics) {
  OneStage stage = released_twist("arap", {{"stiffness", 1e8}}, 1e-2);
  const auto admm = errors_of(stage, "admm", {{"weight", 1.0}, {"acceleration", 0}}, 30);
  const auto projective = errors_of(stage, "projective_dynamics", {}, 30);
  ASSERT_EQ(admm.size(), projective.size());
  for (std::size_t i = 0; i < admm.size(); ++i) EXPECT_LE(admm[i], 1.25 * projective[i]) << i;
}

TEST(Admm, AccelerationSavesIterations) {
  OneStage stage = released_twist("neo_hookean", {{"young", 1e7}, {"poisson", 0.4}}, 1e-2);
  const int plain = iterations_to(errors_of(stage, "admm", {{"acceleration", 0}}, 300), 1e-6);
  const int accelerated = iterations_to(errors_of(stage, "admm", {}, 300), 1e-6);
  EXPECT_LE(accelerated, plain);
  EXPECT_LE(accelerated, 60);
}

TEST(Admm, StopsByItsResidualsToo) {
  OneStage stage = released_twist("arap", {{"stiffness", 1e6}}, 1e-2);
  const auto solver = published_solver("admm", {{"residual_tolerance", 1e-4}});
  std::vector<double> y;
  const SolveReport report = stage.solve(*solver, {.iterations = 500, .tolerance = 0}, y);
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_LT(report.iterations, 100);
  EXPECT_GT(report.residual, 1e-9 * report.first_residual) << "not by the gradient";
}

TEST(Admm, FactorOfTheRuleFallsWithStiffnessAndStep) {
  const auto factor = [](const std::string& material, double k, double h) {
    const Values params = material == "arap" ? Values{{"stiffness", k}} : Values{{"young", k}, {"poisson", 0.4}};
    return factors_of(released_twist(material, params, h).problem())[0];
  };
  // S-BEAM: l^2 = 1/12 m^2, so kappa = k h^2 12/1000 per m^2: 1.15 kappa^(-1/4) within its bounds.
  EXPECT_NEAR(factor("arap", 1e6, 1e-2), std::clamp(1.15 * std::pow(1e6 * 1e-4 * 12 / 1000, -0.25), 0.6, 1.0),
              0.05);
  EXPECT_NEAR(factor("arap", 1e6, 1e-2), factor("arap", 1e8, 1e-3), 1e-12) << "only k h^2 counts";
  EXPECT_GT(factor("neo_hookean", 1e4, 1e-2), factor("neo_hookean", 1e5, 1e-2));
}

// Two bodies, one of them stiff: each has the factor that it would have alone.
TEST(Admm, EveryBodyHasItsOwnFactor) {
  Builder builder;
  builder.gravity({0, 0, 0});
  TetMesh mesh = beam_mesh(1);
  builder.add(Solid{.mesh = mesh, .material = {"arap", {{"stiffness", 1e4}}}});
  for (double& x : mesh.vertices) x += 10;
  builder.add(Solid{.mesh = mesh, .material = {"arap", {{"stiffness", 1e8}}}});
  Model model = std::move(builder).model();
  const auto rest = model.rest;
  OneStage both(std::move(model), rest, 0.02);
  const auto factors = factors_of(both.problem());
  ASSERT_EQ(factors.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    Model alone = solid(beam_mesh(1), 1000, "arap", {{"stiffness", i == 0 ? 1e4 : 1e8}});
    const auto q = alone.rest;
    OneStage stage(std::move(alone), q, 0.02);
    EXPECT_NEAR(factors[i], factors_of(stage.problem())[0], 1e-12);
  }
}

// A body of two stiffnesses has one weight, the soft part sets its floor; and ADMM reaches Newton's minimum, which
// weights that follow k_i do not.
TEST(Admm, ABodyOfTwoStiffnessesHasOneWeight) {
  const auto stage = [] {
    const TetMesh mesh = beam_mesh(2);
    Value::List stiffness;
    for (int i = 0; i < mesh.tet_count(); ++i) stiffness.emplace_back(2 * i < mesh.tet_count() ? 1e7 : 1e9);
    Model model = solid(mesh, 1000, "arap", {});
    const auto& kind = plugin<MaterialPlugin>("material", "arap", "test");
    const Settings settings = kind.params.read(Value(Values{{"stiffness", Value(stiffness)}}));
    std::vector<ElementSettings> elements;
    for (int i = 0; i < mesh.tet_count(); ++i) elements.push_back({&settings, i});
    model.terms[0].elastic = {kind.make(elements)};
    const auto q = twisted(model.rest, 90);
    return OneStage(std::move(model), q, 1e-2);
  };
  OneStage mixed = stage();
  const ElementWeights weights = automatic_weights(mixed.problem(), admm_stiffness(mixed.problem()));
  for (const double w : weights[0]) EXPECT_EQ(w, weights[0][0]);
  EXPECT_GE(weights[0][0], 0.36 * 1.9e7);
  EXPECT_LE(weights[0][0], 1e9);
  const auto errors = errors_of(mixed, "admm", {}, 300);
  EXPECT_LE(*std::min_element(errors.begin(), errors.end()), 1e-6);
}

std::unique_ptr<Simulation> dropped_on_the_ground(const std::string& solver) {
  Model model = solid(beam_mesh(1), 1000, "corotated", {{"young", 1e6}, {"poisson", 0.3}});
  model.gravity = {0, -9.81, 0};
  std::vector<int> all(model.vertex_count());
  std::iota(all.begin(), all.end(), 0);
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  const Settings settings = plane.params.read(Value(Values{{"height", -0.55}}));
  model.terms.push_back({"ground", Elements::points(all), {make_obstacle_potential(plane.make(settings), 2e5)}});
  return published_simulation(std::move(model), 0.02, solver, {{"iterations", 300}, {"gradient_tolerance", 1e-9}});
}

// Obstacles declare no stiffness, yet need a weight, and a body that touches one does not float in the global step.
TEST(Admm, GetsObstaclesRight) {
  const auto admm = dropped_on_the_ground("admm"), newton = dropped_on_the_ground("newton");
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(admm->step().status, Status::converged);
    ASSERT_NE(newton->step().status, Status::not_finite);
  }
  double lowest = 0;
  for (std::size_t k = 0; k < admm->state().q.size(); ++k) {
    ASSERT_NEAR(admm->state().q[k], newton->state().q[k], 1e-5);
    if (k % 3 == 1) lowest = std::min(lowest, admm->state().q[k]);
  }
  EXPECT_LT(lowest, -0.56) << "never came down";
}

TEST(Anderson, SolvesALinearFixedPointInAsManyStepsAsItHasDimensions) {
  // v = B v + b with three different eigenvalues: exact after three pairs.
  const double b[3] = {0.9, -0.5, 0.3}, shift[3] = {1, 2, 3};
  Anderson anderson(6);
  double v[3] = {}, last_r[3], last_t[3];
  std::vector<std::array<double, 3>> dr(6), dt(6);
  for (int it = 0; it < 5; ++it) {
    double r[3], t[3];
    for (int i = 0; i < 3; ++i) t[i] = b[i] * v[i] + shift[i], r[i] = t[i] - v[i];
    if (it > 0) {
      const int slot = anderson.push();
      std::vector<double> products(6), with_r(6), theta(6);
      for (int i = 0; i < 3; ++i) dr[slot][i] = r[i] - last_r[i], dt[slot][i] = t[i] - last_t[i];
      for (int j = 0; j < anderson.size(); ++j)
        for (int i = 0; i < 3; ++i) products[j] += dr[slot][i] * dr[j][i], with_r[j] += r[i] * dr[j][i];
      anderson.set_products(slot, products);
      const bool useful = anderson.coefficients(with_r, theta);
      for (int i = 0; i < 3; ++i) v[i] = t[i];
      for (int j = 0; j < anderson.size() && useful; ++j)
        for (int i = 0; i < 3; ++i) v[i] -= theta[j] * dt[j][i];
    } else {
      for (int i = 0; i < 3; ++i) v[i] = t[i];
    }
    for (int i = 0; i < 3; ++i) last_r[i] = r[i], last_t[i] = t[i];
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(v[i], shift[i] / (1 - b[i]), 1e-6 * shift[i] / (1 - b[i]));
}

}  // namespace
}  // namespace resilin::test
