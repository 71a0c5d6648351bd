// XPBD where theory says what comes out (E62, E63), and where it only says that nothing may break.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "contact/obstacles/obstacle_potential.h"
#include "core/expect_input_error.h"
#include "potentials/pin.h"
#include "resilin/registry.h"
#include "solvers/local/constraint_solver.h"
#include "spring_systems.h"

namespace resilin::test {
namespace {

constexpr double h = 0.01;

std::vector<double> solve(const std::string& solver, Model model, const std::vector<double>& q,
                          const Values& params, int iterations, int threads = 0) {
  OneStage stage(std::move(model), q, h, threads);
  std::vector<double> y;
  stage.solve(*published_solver(solver, params), {.iterations = iterations, .tolerance = 0}, y);
  return y;
}

TEST(Xpbd, AnAnchoredSpringIsExactAfterOneIteration) {
  const double k = 3e4, m = 2, length = 0.7;
  const double wanted = (m * 1 + k * h * h * length) / (m + k * h * h);
  const Model model = chain(2, k, length, m);
  for (const int iterations : {1, 7})
    EXPECT_NEAR(solve("xpbd", model, model.rest, {}, iterations)[3], wanted, 1e-15);
}

// m (x - y)/h^2 + k (x - l) + d k (x - x_n)/h = 0.
TEST(Xpbd, DampingIsThatOfRayleighOnASpring) {
  const double k = 3e4, m = 2, length = 0.7, d = 0.02, v = 5;
  Model model = chain(2, k, length, m);
  const auto q = model.rest;
  std::vector<double> velocity(6, 0.0), y;
  velocity[3] = v;
  OneStage stage(std::move(model), q, velocity, h);
  stage.solve(*published_solver("xpbd", {{"damping", d}}), {.iterations = 3, .tolerance = 0}, y);
  EXPECT_NEAR(y[3], (m / (h * h) * (1 + h * v) + k * length + d * k / h) / (m / (h * h) + k + d * k / h), 1e-14);
}

TEST(Xpbd, ALinearChainConvergesInBothOrders) {
  for (const char* order : {"colour", "serial"}) {
    Model model = chain(12, 2e3, 0.9, 0.1);
    model.gravity = {5, 0, 0};
    const auto q = model.rest;
    OneStage stage(std::move(model), q, h);
    std::vector<double> reference, y;
    stage.minimum(reference, 1e-13);
    stage.solve(*published_solver("xpbd", {{"order", order}}), {.iterations = 2000, .tolerance = 0}, y);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], reference[i], 1e-10) << order;
  }
}

// X41: lambda tends to -c/alpha, the force.
TEST(Xpbd, MultipliersBecomeForces) {
  Model model = chain(5, 2e3, 0.8, 0.1);
  const auto q = model.rest;
  OneStage stage(std::move(model), q, h);
  ConstraintSolver solver({.name = "xpbd"});
  std::vector<double> y;
  stage.solve(solver, {.iterations = 500, .tolerance = 0}, y);
  const ConstraintTerm& term = solver.terms().front();
  EXPECT_EQ(term.constraints(), 4);
  for (int slot = 0; slot < static_cast<int>(term.order().slot_element.size()); ++slot) {
    if (slot % 8 >= term.order().active[slot / 8]) continue;
    const int i = term.order().slot_element[slot];
    EXPECT_NEAR(term.multiplier(0, 0, slot), -2e3 * h * h * (y[3 * i + 3] - y[3 * i] - 0.8), 1e-12);
  }
}

// E62: without compliance every bit is PBD's.
TEST(Xpbd, NoComplianceIsPbd) {
  Model stiff = solid(beam_mesh(2), 1000, "arap", {{"stiffness", 1e250}});
  const auto q = twisted(stiff.rest, 40);
  EXPECT_EQ(solve("xpbd", stiff, q, {{"coupled", false}}, 4), solve("pbd", stiff, q, {}, 4));
  Model springs = chain(9, 1e250, 0.7, 0.3);
  EXPECT_EQ(solve("xpbd", springs, springs.rest, {}, 4), solve("pbd", springs, springs.rest, {}, 4));
}

TEST(Xpbd, SoftPinsAndObstaclesAreExactOnFreeVertices) {
  Model model = chain(3, 1, 1, 2);
  model.terms.clear();
  const std::vector<int> one = {1}, two = {2};
  const std::vector<double> target = {3, 4, 5};
  model.terms.push_back({"pin", Elements::points(one), {make_pin(5e4, target, Motion{})}});
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  model.terms.push_back(
      {"ground", Elements::points(two), {make_obstacle_potential(plane.make(plane.params.defaults()), 7e4)}});
  std::vector<double> q = model.rest;
  q[7] = -0.5;
  OneStage stage(std::move(model), q, h);
  std::vector<double> reference, y;
  stage.minimum(reference, 1e-13);
  const SolveReport report = stage.solve(*published_solver("xpbd"), {.iterations = 2, .gradient = 1e-9}, y);
  EXPECT_EQ(report.status, Status::converged);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], reference[i], 1e-12);
}

TEST(Xpbd, SameBitsForAnyThreadCountAndEveryForm) {
  for (const char* material :
       {"arap", "corotated", "fixed_corotated", "neo_hookean", "simplified_neo_hookean", "st_venant_kirchhoff"}) {
    const Model model = solid(beam_mesh(4), 1000, material, {});
    const auto q = twisted(model.rest, 30);
    const auto one = solve("xpbd", model, q, {}, 3, 1);
    for (const int threads : {2, 3}) EXPECT_EQ(solve("xpbd", model, q, {}, 3, threads), one) << material;
  }
}

// Near the minimiser, not at it (E65): many iterations leave less of the objective, whatever the order and the way
// to solve pairs.
TEST(Xpbd, ComesCloseToTheMinimumOfEveryForm) {
  for (const char* material :
       {"arap", "corotated", "fixed_corotated", "neo_hookean", "simplified_neo_hookean", "st_venant_kirchhoff"})
    for (const Values& params : {Values{}, Values{{"order", "serial"}}, Values{{"coupled", false}}}) {
      OneStage stage = released(solid(beam_mesh(1), 1000, material, {}), 40, 0.02);
      std::vector<double> reference, y;
      const double minimum = stage.minimum(reference, 1e-10), start = stage.value(stage.stage().guess);
      stage.solve(*published_solver("xpbd", params), {.iterations = 200, .tolerance = 0}, y);
      EXPECT_LE(stage.value(y) - minimum, 0.1 * (start - minimum)) << material;
    }
}

TEST(Xpbd, KeepsMomentumHoweverEarlyItStops) {
  for (const char* material : {"arap", "neo_hookean"})
    for (const int iterations : {1, 2, 10}) {
      const Model model = solid(beam_mesh(2), 1000, material, {});
      const auto q = twisted(model.rest, 60), y = solve("xpbd", model, q, {}, iterations);
      double moved[3] = {}, size = 0;
      for (std::size_t i = 0; i < q.size(); ++i) {
        moved[i % 3] += model.mass[i / 3] * (y[i] - q[i]);
        size += model.mass[i / 3] * std::abs(y[i] - q[i]);
      }
      for (const double m : moved) EXPECT_LE(std::abs(m), 1e-12 * size) << material;
    }
}

TEST(Xpbd, DegenerateStartsStayFinite) {
  for (const char* material :
       {"arap", "corotated", "fixed_corotated", "neo_hookean", "simplified_neo_hookean", "st_venant_kirchhoff"})
    for (int start = 0; start < 4; ++start) {
      Model model = solid(beam_mesh(1), 1000, material, {});
      std::vector<double> q = model.rest;
      for (std::size_t i = 0; i < q.size(); i += 3) {
        if (start == 0) q[i] = -q[i];                       // inverted
        if (start == 1) q[i + 1] = 0;                       // flat
        if (start == 2) q[i] = q[i + 1] = q[i + 2] = 0.25;  // a point
      }
      std::vector<int> all(model.vertex_count());
      std::iota(all.begin(), all.end(), 0);
      if (start == 3) pin(model, all), q = twisted(q, 90);
      const auto pinned = start == 3;
      OneStage stage(std::move(model), q, h);
      std::vector<double> y;
      const SolveReport report = stage.solve(*published_solver("xpbd"), {.iterations = 20, .tolerance = 0}, y);
      EXPECT_NE(report.status, Status::not_finite) << material << " " << start;
      for (const double x : y) ASSERT_TRUE(std::isfinite(x)) << material << " " << start;
      if (pinned) {
        EXPECT_EQ(y, stage.stage().target);
      }
    }
}

TEST(Xpbd, SaysWhatItCannotTakeAndWhatItCan) {
  Model model = solid(beam_mesh(1), 1000, "mooney_rivlin", {});
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  test::says(test::input_error([&] { published_solver("xpbd")->check(system.problem()); }),
             "use quasi_newton or newton, or one that is: arap, corotated, fixed_corotated, neo_hookean");
  Model damped = solid(beam_mesh(1), 1000, "arap", {});
  add_damping(damped, 0, "strain_rate", {});
  DynamicSystem other(damped, pool);
  test::says(test::input_error([&] { published_solver("xpbd")->check(other.problem()); }),
             "use the solver's own \"damping\"");
}

}  // namespace
}  // namespace resilin::test
