#include <gtest/gtest.h>

#include <cmath>

#include "solvers/descent/energy_guard.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

struct Guarded {
  Guarded(std::array<double, 3> gravity, double speed) : stage(make(gravity, speed)) {
    workspace.bodies.resize(1), workspace.active.resize(1);
  }
  static OneStage make(const std::array<double, 3>& gravity, double speed) {
    Model model = solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e6}});
    model.gravity = gravity;
    const auto q = model.rest;
    std::vector<double> v(q.size());
    for (std::size_t i = 1; i < q.size(); i += 3) v[i] = speed;
    return OneStage(std::move(model), q, v, 0.02, 1);
  }
  std::vector<double> moved(double distance) const {
    std::vector<double> y = stage.stage().origin;
    for (std::size_t i = 1; i < y.size(); i += 3) y[i] += distance;
    return y;
  }
  std::vector<double> apply(std::vector<double> y, const std::vector<double>& rigid) {
    guard.apply(stage.problem(), rigid, y, workspace, report);
    stage.system().begin(stage.stage());  // all components count again
    return y;
  }
  OneStage stage;
  DescentWorkspace workspace;
  SolveReport report;
  EnergyGuard guard;
};

// What gravity gives a falling body is no energy that the solver has made.
TEST(EnergyGuard, KeepsWhatFallsFreely) {
  Guarded body({0, -9.81, 0}, -2);
  const auto fallen = body.stage.stage().target;
  EXPECT_EQ(body.apply(fallen, body.moved(0)), fallen);
}

// Faster than its velocity and nothing that pushes.
TEST(EnergyGuard, DrawsBackWhatHasMadeEnergy) {
  Guarded body({0, 0, 0}, 1);
  const auto y = body.apply(body.moved(1.9 * 0.02), body.moved(0));
  EXPECT_LE(y[1] - body.stage.stage().origin[1], 0.02 * (1 + 1e-9));
  EXPECT_GE(y[1] - body.stage.stage().origin[1], 0);
  EXPECT_NEAR(body.workspace.bodies[0].value, body.stage.value(y), 1e-9 * body.workspace.bodies[0].value);
}

// Thrown up, it moves down as fast: no energy is made, yet not moving at all is nearer to the minimum.
TEST(EnergyGuard, NothingEndsAboveTheRigidStart) {
  Guarded body({0, 0, 0}, 1);
  const auto rigid = body.moved(0);
  const auto y = body.apply(body.moved(-0.9 * 0.02), rigid);
  EXPECT_LE(body.stage.value(y), body.stage.value(rigid) * (1 + 1e-9));
}

}  // namespace
}  // namespace resilin::test
