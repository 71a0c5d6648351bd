#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "resilin/errors.h"
#include "resilin/registry.h"
#include "solvers/progress/iterations.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

OneStage falling(double length) {
  TetMesh mesh = beam_mesh(1);
  for (double& x : mesh.vertices) x *= length;
  Model model = solid(mesh, 1000, "arap", {{"stiffness", 1e4}});
  model.gravity = {0, -9.81, 0};
  pin(model, {0, 1, 2, 3});
  const auto q = model.rest;
  return OneStage(std::move(model), q, 0.01, 1);
}

// sqrt(g . B g / m) / tau over the diagonal of the rest shape.
TEST(Iterations, ErrorIsAnAccelerationOverTheSize) {
  for (const double length : {1.0, 0.01}) {
    OneStage stage = falling(length);
    const Problem& problem = stage.problem();
    SolveReport report;
    Pace pace;
    const StopRule rule{.iterations = 5, .tolerance = 0.25};
    const Iterations iterations(rule, problem, pace, report);
    const Bounds box = bounds(problem.elements().model().rest);
    const double size =
        std::hypot(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1], box.upper[2] - box.lower[2]);
    const double wanted = std::sqrt(3.0 / problem.space().total_mass()) / 0.01 / size;
    EXPECT_NEAR(iterations.error(0, 3.0), wanted, 1e-12 * wanted);
    EXPECT_EQ(iterations.error(0, -1.0), 0);
  }
}

TEST(Iterations, EverySolverStopsWhenItIsCancelled) {
  const std::atomic<bool> cancel = true;
  for (const auto& entry : registry<SolverPlugin>()) {
    OneStage stage = falling(1);
    const auto solver = published_solver(entry.name, {});
    std::vector<double> y;
    const SolveReport report = stage.solve(*solver, {.iterations = 50, .tolerance = 1e-9, .cancel = &cancel}, y);
    EXPECT_EQ(report.status, Status::cancelled) << entry.name;
    EXPECT_EQ(report.iterations, 0) << entry.name;
  }
}

TEST(Iterations, NoSolverDoesMoreThanItMay) {
  for (const auto& entry : registry<SolverPlugin>())
    for (const int most : {1, 3}) {
      OneStage stage = falling(1);
      const auto solver = published_solver(entry.name, {});
      std::vector<double> y;
      EXPECT_LE(stage.solve(*solver, {.iterations = most, .tolerance = 1e-12}, y).iterations, most) << entry.name;
    }
}

}  // namespace
}  // namespace resilin::test
