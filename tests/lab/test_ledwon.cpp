// Small versions of the experiments on Ledwon 2024: every judged row holds.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 about its own AVX-512 header inside Eigen
#include <gtest/gtest.h>

#include <cmath>

#include "lab/constraint_system.h"
#include "lab/experiment.h"
#include "lab/ledwon_beam.h"
#include "lab/small_systems.h"
#include "resilin/registry.h"

namespace resilin {
namespace {

void expect_pass(const std::string& id, const Value::Object& overrides) {
  const ExperimentReport report = run_experiment(id, overrides);
  EXPECT_TRUE(report.source.has("ledwon2024"));
  for (const Row& row : report.rows)
    EXPECT_TRUE(row.pass) << id << ": " << row.quantity << " was " << row.measured << ", expected " << row.expected;
}

TEST(Ledwon, PbdOnOneConstraint) { expect_pass("E60", {{"k", 0.3}, {"iterations", 7}}); }
TEST(Ledwon, PbdUntwistsEntirely) { expect_pass("E61", {{"cells", 1}, {"iterations", 300}}); }
TEST(Ledwon, IdentitiesOfXpbd) { expect_pass("E62", {{"cells", 1}, {"stiffness", 1e6}, {"iterations", 20}}); }
TEST(Ledwon, XpbdIsExactOnALine) { expect_pass("E63", {{"links", 5}, {"iterations", 1000}, {"stiffness", 1e4}}); }
TEST(Ledwon, ErrorsOfFourSolvers) { expect_pass("E64", {{"cells_medium", 2}, {"cells_large", 2}}); }
TEST(Ledwon, TheBiasOfXpbdStays) { expect_pass("E65", {{"iterations", 200}}); }
TEST(Ledwon, PdLacksARotation) {
  expect_pass("E66", {{"long_iterations", 100000}, {"iterations", 400}, {"bend", 0.3}});
}
TEST(Ledwon, WeightsOfAdmm) { expect_pass("E67", {}); }
TEST(Ledwon, TheWholeRangeStaysFinite) { expect_pass("E68", {{"cells", 1}, {"iterations", 15}}); }
TEST(Ledwon, AllThatMinimiseAgree) { expect_pass("E69", {{"cells", 2}, {"turns", 10}, {"iterations", 500}}); }
TEST(Ledwon, AngleAfterTenIterations) { expect_pass("E70", {{"cells_large", 3}}); }
TEST(Ledwon, CostOfAnIteration) {
  expect_pass("E71", {{"cells_medium", 1}, {"cells_large", 1}, {"repetitions", 1}, {"iterations", 10}});
}
TEST(Ledwon, AnyStepAndStiffness) { expect_pass("E98", {{"cells", 1}, {"iterations", 50}}); }
TEST(Ledwon, TheWholeRange) {
  expect_pass("ledwon2024.range", {{"cells", 1}, {"iterations", 200}, {"first_power", 2}, {"last_power", 4}});
}
TEST(Ledwon, RigidRotation) { expect_pass("ledwon2024.rigid_rotation", {{"cells", 1}, {"stiffest", 1e9}}); }
TEST(Ledwon, TheBiasIsAssumptionTwo) { expect_pass("ledwon2024.xpbd_global", {{"cells", 1}}); }
TEST(Ledwon, Baselines) {
  expect_pass("ledwon2024.baselines", {{"cells", 1}, {"iterations", 60}, {"compared", 8}});
}
TEST(Ledwon, WeightsFallWithTheStep) {
  expect_pass("ledwon2024.admm_weights",
              {{"cells", 1}, {"iterations", 150}, {"first_power", 1}, {"last_power", 6}});
}
TEST(Ledwon, WhatTheSearchCosts) {
  expect_pass("ledwon2024.line_search", {{"cells", 1}, {"first_power", 3}, {"last_power", 5}});
}

TEST(Ledwon, EveryTableAndFigureIsThere) {
  std::string all;
  for (const auto& [id, experiment] : registry<ExperimentPlugin>())
    if (experiment.source.has("ledwon2024")) all += experiment.shows + ", ";
  for (const char* part : {"Table 3.1,", "Fig. 3.1,", "Fig. 3.2,", "Fig. 3.3,", "Fig. 3.4,", "Fig. 3.5,",
                           "Fig. 3.6,", "Fig. 3.7,", "Fig. 3.8,", "Fig. 3.9,"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

TEST(Ledwon, InertiaIsKineticEnergy) { expect_pass("E72", {{"cells", 1}, {"iterations", 20}, {"step", 1e-3}}); }

TEST(LedwonBeam, ATurnedBodyIsRigidlyElsewhere) {
  Model model = lab::ledwon_model({.cells = 1});
  auto y = model.rest;
  for (std::size_t i = 0; i < y.size(); i += 3) {
    const double a = y[i], b = y[i + 1];
    y[i] = std::cos(0.3) * a - std::sin(0.3) * b + 0.2, y[i + 1] = std::sin(0.3) * a + std::cos(0.3) * b;
  }
  EXPECT_NEAR(lab::rigid_share(model.mass, model.rest, y), 1, 1e-12);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1.1 * model.rest[i];
  EXPECT_NEAR(lab::rigid_share(model.mass, model.rest, y), 0, 1e-12);
}

TEST(LedwonBeam, UntwistingIsTheAngleBetweenTheEnds) {
  const TetMesh beam = lab::beam_mesh(1);
  EXPECT_NEAR(lab::untwisted(beam, lab::twisted(beam.vertices, 150), lab::twisted(beam.vertices, 40)), 110, 1e-9);
}

TEST(ConstraintSystem, TheJacobianIsThatOfTheConstraints) {
  const lab::BeamOptions options{.cells = 1, .material = "simplified_neo_hookean"};
  const Model model = lab::ledwon_model(options);
  const lab::ConstraintSystem system(model, 0.01);
  EXPECT_EQ(system.constraints(), 2 * model.element_count());
  const auto start = lab::twisted(model.rest, 70);
  Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size())), c,
                  less, more;
  Eigen::MatrixXd jacobian, ignored;
  system.evaluate(q, c, jacobian);
  const Eigen::VectorXd lambda = Eigen::VectorXd::LinSpaced(c.size(), -1, 2);
  EXPECT_LE((jacobian.transpose() * lambda - system.force(q, lambda)).norm(), 1e-12 * lambda.norm());
  for (const Eigen::Index i : {0, 7, 31}) {
    const double step = 1e-6, x = q[i];
    q[i] = x - step, system.evaluate(q, less, ignored);
    q[i] = x + step, system.evaluate(q, more, ignored);
    q[i] = x;
    EXPECT_LE(((more - less) / (2 * step) - jacobian.col(i)).cwiseAbs().maxCoeff(), 1e-7);
  }
}

// Springs in a line: the linearised system is the whole one, and all variants find the step of backward Euler at
// once.
TEST(ConstraintSystem, OneGlobalStepSolvesALine) {
  Model model = lab::spring_model({.at = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                                   .mass = {1, 2, 3},
                                   .edges = {{0, 1}, {1, 2}},
                                   .stiffness = {2e3, 5e3},
                                   .length = {0.8, 1.1}});
  const auto q = model.rest;
  lab::OneStage stage(model, q, 0.01, 1);
  std::vector<double> exact;
  stage.minimum(exact, 1e-13);
  const lab::ConstraintSystem system(model, 0.01);
  const Eigen::VectorXd target = Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
  for (const bool geometric : {false, true})
    for (const bool inertial : {false, true}) {
      lab::GlobalState state{target, Eigen::VectorXd::Zero(system.constraints())};
      EXPECT_TRUE(lab::global_step(system, target, {geometric, inertial, false}, state));
      for (std::size_t i = 0; i < q.size(); ++i)
        EXPECT_NEAR(state.q[static_cast<Eigen::Index>(i)], exact[i], 1e-12);
      const auto left = lab::residuals(system, target, state);
      EXPECT_LE(left[0] + left[1], 1e-12);
    }
}

}  // namespace
}  // namespace resilin
