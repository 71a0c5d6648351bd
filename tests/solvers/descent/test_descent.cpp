#include <gtest/gtest.h>

#include <cmath>

#include "solvers/descent/descent.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// d = -share tau^2 M^-1 g: to the minimum where only inertia counts, or a part or a multiple of that way.
class Share final : public DescentMethod {
 public:
  explicit Share(double share) : share_(share) {}
  bool direction(Problem& problem, const std::vector<double>&, const std::vector<double>& g, int,
                 std::vector<double>& d, SolveReport&) override {
    const double factor = share_ * problem.stage().tau * problem.stage().tau;
    for (std::size_t i = 0; i < g.size(); ++i) d[i] = -factor * g[i] / problem.elements().model().mass[i / 3];
    return true;
  }

 private:
  double share_;
};

constexpr double tau = 0.01;

// A body that flies freely, begun beside where it will be: Phi is m/(2 tau^2) |offset|^2.
struct Flight {
  explicit Flight(double offset) : y(stage.stage().target) {
    for (std::size_t i = 0; i < y.size(); i += 3) y[i] += offset;
  }
  static OneStage make() {
    Model model = solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e4}});
    const auto q = model.rest;
    return OneStage(std::move(model), q, std::vector<double>(q.size(), 10.0), tau, 1);
  }
  SolveReport run(double share, const StopRule& stop) {
    Share method(share);
    LineSearch search;
    search.parabola = true;
    Descent descent({search, false});
    const auto solver = published_solver("newton");
    solver->tracing = true;
    return descent.run(stage.problem(), y, stop, method, *solver);
  }
  double error() const {  // as StopRule has it, with the true distance
    return std::abs(y[0] - stage.stage().target[0]) / (tau * tau) / size;
  }
  OneStage stage = make();
  double size = stage.problem().space().component_size(0);
  std::vector<double> y;
};

// Gives directions that are not finite until it has dropped two things.
class Broken final : public DescentMethod {
 public:
  explicit Broken(int left) : left_(left) {}
  bool direction(Problem& problem, const std::vector<double>& y, const std::vector<double>& g, int iterations,
                 std::vector<double>& d, SolveReport& report) override {
    share_.direction(problem, y, g, iterations, d, report);
    if (dropped_ < 2) d[4] = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  bool simplify(int) override { return left_-- > 0 && ++dropped_ > 0; }

 private:
  Share share_{1};
  int left_, dropped_ = 0;
};

TEST(Descent, ADirectionThatIsNotFiniteIsAskedForAgainMoreSimply) {
  for (const int parts : {1, 2, 3}) {
    Flight flight(0.1);
    Broken method(parts);
    Descent descent({LineSearch(), false});
    const auto solver = published_solver("newton");
    const SolveReport report = descent.run(flight.stage.problem(), flight.y, {}, method, *solver);
    EXPECT_EQ(report.status, parts < 2 ? Status::not_finite : Status::converged) << parts;
    for (const double y : flight.y) ASSERT_TRUE(std::isfinite(y));
  }
}

TEST(Descent, AStepOfAMillionBodyLengthsCostsNoMoreThanOneOfABodyLength) {
  Flight near(0.1), far(0.1);
  const double length = near.size / 0.1;
  const SolveReport one = near.run(length, {.iterations = 1}), million = far.run(1e6 * length, {.iterations = 1});
  EXPECT_EQ(million.evaluations, one.evaluations);
  EXPECT_NEAR(million.trace[1].step_length, 1e-6 * one.trace[1].step_length, 1e-12);
  for (std::size_t i = 0; i < near.y.size(); ++i) ASSERT_NEAR(far.y[i], near.y[i], 1e-9);
}

// On a quadratic the parabola is the function: a step three times too long is cut to the minimum, at once.
TEST(Descent, AParabolaFindsTheMinimumOfAQuadratic) {
  Flight flight(0.1);
  const SolveReport report = flight.run(3, {.iterations = 1});
  EXPECT_NEAR(report.trace[1].step_length, 1.0 / 3, 1e-9);
  EXPECT_EQ(report.trace[1].evaluations, 2);
  for (std::size_t i = 0; i < flight.y.size(); ++i) ASSERT_NEAR(flight.y[i], flight.stage.stage().target[i], 1e-9);
}

// Steps of a fiftieth of the way: each gains little, so what g . d says is little too, and most is still to be
// gained.
TEST(Descent, SmallStepsAreNotTakenForTheEnd) {
  const double tolerance = 1;
  Flight flight(1.5 * tau * tau * Flight(0).size / std::sqrt(0.02));
  const SolveReport report = flight.run(0.02, {.iterations = 1000, .tolerance = tolerance});
  EXPECT_EQ(report.status, Status::converged);
  EXPECT_GT(report.iterations, 2 * Descending::window + 1);
  EXPECT_LE(flight.error(), 3 * tolerance);
}

// A step that went too far is a lower point, and faster than anything has made it: what is cut short there is drawn
// back.
TEST(Descent, WhatIsCutShortMakesNoEnergy) {
  Model model = solid(beam_mesh(1), 1000, "arap", {{"stiffness", 1e-6}});  // next to nothing holds it together
  pin(model, {0});
  const auto q = model.rest, mass = model.mass;
  std::vector<double> v(q.size(), 10.0);
  std::fill_n(v.begin(), 3, 0.0);
  OneStage stage(std::move(model), q, v, tau, 1);
  std::vector<double> y = q;
  Share method(1.35);
  Descent descent({LineSearch(), true});
  const auto solver = published_solver("newton");
  solver->tracing = true;
  const SolveReport report = descent.run(stage.problem(), y, {.iterations = 1, .tolerance = 1e-9}, method, *solver);
  ASSERT_EQ(report.trace.back().step_length, 1) << "the step was taken";
  double before = 0, after = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    before += 0.5 * mass[i / 3] * v[i] * v[i], after += 0.5 * mass[i / 3] * std::pow((y[i] - q[i]) / tau, 2);
  EXPECT_LE(after, before * (1 + 1e-9));
  EXPECT_GT(after, 0);
  EXPECT_LT(report.objective, stage.value(q)) << "lower than not moving";
  EXPECT_NEAR(report.objective, stage.value(y), 1e-9 * report.objective);
}

// A stiff body that turns: flying freely stretches it by the square of the angle, and a step from there is worse
// than one from where it would be if it were rigid.
TEST(Descent, BeginsAtTheRigidMotionWhereThatIsBetter) {
  Model model = solid(beam_mesh(2), 1000, "neo_hookean", {{"young", 1e9}, {"poisson", 0.4}});
  const auto q = model.rest;
  std::vector<double> v(q.size());
  for (std::size_t i = 0; i < q.size(); i += 3) v[i] = 30 * q[i + 1], v[i + 1] = -30 * q[i];
  OneStage stage(std::move(model), q, v, 1.0 / 30);
  RigidStart rigid;
  std::vector<double> start, y;
  rigid.find(stage.problem(), stage.stage().guess, start);
  const double bound = stage.value(start);
  ASSERT_LT(bound, stage.value(stage.stage().guess));
  const auto solver = make_solver("quasi_newton", {});
  solver->tracing = true;
  const SolveReport report = stage.solve(*solver, {.iterations = 1, .tolerance = 1e-9}, y);
  ASSERT_EQ(report.trace.size(), 2u);
  EXPECT_LT(report.trace[1].objective, bound);
}

}  // namespace
}  // namespace resilin::test
