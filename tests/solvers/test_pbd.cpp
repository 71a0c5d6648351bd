// E60 and what else is exact about PBD.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/obstacle_potential.h"
#include "core/expect_input_error.h"
#include "resilin/registry.h"
#include "spring_systems.h"

namespace resilin::test {
namespace {

std::vector<double> project(Model model, const std::vector<double>& q, const Values& params, int iterations) {
  const std::vector<double> still(q.size(), 0.0);
  OneStage stage(std::move(model), q, still, 0.01);
  std::vector<double> y;
  stage.solve(*published_solver("pbd", params), {.iterations = iterations, .tolerance = 0}, y);
  return y;
}

// One constraint of rest length zero: what is left after n iterations is (1 - k)^n, and 1 - k with k' (Ledwon 2024,
// Eq. 3.32).
TEST(Pbd, StiffnessOfOneConstraint) {
  const Model model = chain(2, 123, 0, 1);
  for (const double k : {0.5, 0.1, 0.9})
    for (const int n : {1, 10}) {
      const auto each = project(model, model.rest, {{"stiffness", k}, {"stiffness_per_iteration", true}}, n);
      EXPECT_NEAR(each[3], std::pow(1 - k, n), 1e-12);
      const auto together = project(model, model.rest, {{"stiffness", k}}, n);
      EXPECT_NEAR(together[3], 1 - k, 1e-12);
    }
}

// Only the ratio of masses counts (Eq. 3.35): a factor of two changes no bit.
TEST(Pbd, ScaledMassesGiveTheSamePositions) {
  Model model = solid(beam_mesh(1), 1000, "arap", {}), heavy = model;
  for (double& m : heavy.mass) m *= 2;
  const auto q = twisted(model.rest, 40);
  EXPECT_EQ(project(std::move(model), q, {}, 5), project(std::move(heavy), q, {}, 5));
}

TEST(Pbd, ConstraintsWithoutStiffnessAreNone) {
  const Model strain = solid(beam_mesh(1), 1000, "arap", {}),
              both = solid(beam_mesh(1), 1000, "fixed_corotated", {{"young", 1e5}, {"poisson", 0.0}});
  const auto q = twisted(strain.rest, 40);
  EXPECT_EQ(project(strain, q, {}, 5), project(both, q, {}, 5));
}

TEST(Pbd, ManyIterationsMakeABodyRigid) {
  Model model = solid(beam_mesh(1), 1000, "arap", {{"stiffness", 10.0}});
  const auto q = twisted(model.rest, 60);
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  const double before = system.potential_energy(q.data(), nullptr);
  for (const char* order : {"colour", "serial"}) {
    const auto y = project(model, q, {{"order", order}}, 1000);
    EXPECT_LE(system.potential_energy(y.data(), nullptr), 1e-10 * before) << order;
  }
}

TEST(Pbd, ObstaclesPushAndNeverPull) {
  Model model = chain(2, 1, 1, 1);
  model.terms.clear();
  const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
  const std::vector<int> ids = {0, 1};
  model.terms.push_back(
      {"ground", Elements::points(ids), {make_obstacle_potential(plane.make(plane.params.defaults()), 1)}});
  std::vector<double> q = model.rest;
  q[4] = -0.25;
  EXPECT_NEAR(project(model, q, {}, 3)[4], 0, 1e-15);
  q[4] = 0.25;
  EXPECT_EQ(project(model, q, {}, 3)[4], 0.25);
}

TEST(Pbd, RefusesEnergiesWithoutConstraints) {
  Model model = solid(beam_mesh(1), 1000, "polynomial", {});
  ThreadPool pool(1);
  DynamicSystem system(model, pool);
  test::says(test::input_error([&] { published_solver("pbd")->check(system.problem()); }),
             "pbd cannot take \"polynomial\"");
}

}  // namespace
}  // namespace resilin::test
