#include <gtest/gtest.h>

#include <cmath>

#include "resilin/registry.h"
#include "solvers/precondition/initial_hessian.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

constexpr const char* kinds[] = {"projective", "scaled_identity", "rest_pose", "warped_rest_pose", "frame_hessian"};

OneStage stage_of(const std::vector<double>& q, Model model) { return OneStage(std::move(model), q, 0.02); }

Model bar() { return solid(beam_mesh(2), 1000, "neo_hookean", {{"young", 1e5}, {"poisson", 0.4}}); }

std::unique_ptr<InitialHessian> make(const std::string& kind, const Values& more = {}) {
  Values values = {{"initial_hessian", kind}, {"linear_solver", "cholesky"}};
  values.insert(values.end(), more.begin(), more.end());
  return make_initial_hessian(plugin<SolverPlugin>("solver", "quasi_newton", "test").params.read(Value(values)));
}

std::vector<double> applied(InitialHessian& hessian, OneStage& stage, const std::vector<double>& at,
                            const std::vector<double>& r) {
  Memory memory;
  EXPECT_GE(hessian.begin(stage.problem(), at, memory), 0);
  std::vector<double> d(r.size());
  hessian.solve(stage.problem(), at, 0, r.data(), d.data());
  return d;
}

TEST(InitialHessian, EveryKindReachesNewtonsMinimum) {
  for (const char* kind : kinds)
    for (const char* method : {"direct", "cg", "pcg"}) {
      Model model = bar();
      pin(model, {0, 1, 2, 3});
      auto q = twisted(model.rest, 60);
      for (int k = 0; k < 12; ++k) q[k] = model.rest[k];
      OneStage stage = stage_of(q, std::move(model));
      std::vector<double> reference, y;
      stage.minimum(reference, 1e-10);
      const auto solver = published_solver("quasi_newton", {{"initial_hessian", kind}, {"linear_method", method}});
      const SolveReport report = stage.solve(*solver, {.iterations = 2000, .gradient = 1e-8}, y);
      EXPECT_TRUE(report.status == Status::converged || report.status == Status::stalled)  // at round-off
          << kind << " " << method;
      for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], reference[i], 1e-5) << kind << " " << method;
    }
}

TEST(InitialHessian, EveryKindLeavesPinnedVerticesAndLeadsDownhill) {
  for (const char* kind : kinds) {
    Model model = bar();
    pin(model, {5, 6});
    const auto q = model.rest;
    OneStage stage = stage_of(q, std::move(model));
    Random random(1);
    std::vector<double> r(q.size());
    for (double& x : r) x = random.normal();
    for (int k = 15; k < 21; ++k) r[k] = 0;
    const auto d = applied(*make(kind), stage, twisted(q, 40), r);
    double slope = 0;
    for (std::size_t i = 0; i < r.size(); ++i) slope += r[i] * d[i];
    EXPECT_GT(slope, 0) << kind;
    for (int k = 15; k < 21; ++k) EXPECT_EQ(d[k], 0.0) << kind;
  }
}

// Turned by 90 degrees as a whole, the warped Hessian is the turned one of the rest pose; the plain one does not
// notice.
TEST(InitialHessian, WarpingTurnsWithTheBody) {
  Model model = bar();
  const auto rest = model.rest;
  OneStage stage = stage_of(rest, std::move(model));
  const auto turn = [](std::vector<double> x) {
    for (std::size_t i = 0; i < x.size(); i += 3) std::swap(x[i], x[i + 1]), x[i] = -x[i];
    return x;
  };
  Random random(2);
  std::vector<double> r(rest.size());
  for (double& x : r) x = random.normal();
  const auto straight = turn(applied(*make("rest_pose"), stage, rest, r));
  const auto warped = applied(*make("warped_rest_pose"), stage, turn(rest), turn(r));
  const auto plain = applied(*make("rest_pose"), stage, turn(rest), turn(r));
  EXPECT_LE(largest_difference(warped, straight), 1e-12);
  EXPECT_GT(largest_difference(plain, straight),
            0.01 * largest_difference(straight, std::vector<double>(straight.size())));
}

TEST(InitialHessian, AFrameHessianServesAsManyFramesAsItIsTold) {
  Model model = bar();
  const auto rest = model.rest;
  OneStage stage = stage_of(rest, std::move(model));
  const auto hessian = make("frame_hessian", {{"hessian_age", 2}});
  Memory memory;
  int made[4];
  std::vector<double> points[4];
  for (int frame = 0; frame < 4; ++frame) {
    points[frame] = twisted(rest, 10 * frame);
    made[frame] = hessian->begin(stage.problem(), points[frame], memory);
  }
  EXPECT_EQ(made[0], 1);
  EXPECT_EQ(made[1], 0);
  EXPECT_EQ(made[2], 1);
  EXPECT_EQ(made[3], 0);
  EXPECT_EQ(memory.entries.at("quasi_newton.frame_hessian").values, points[2]);
  // A resumed run has the memory and makes the same factor again.
  std::vector<double> r(rest.size(), 1.0), d(rest.size()), again(rest.size());
  hessian->solve(stage.problem(), points[3], 0, r.data(), d.data());
  memory.entries.at("quasi_newton.frame_hessian_used").values[0] = 1;
  const auto fresh = make("frame_hessian", {{"hessian_age", 2}});
  EXPECT_EQ(fresh->begin(stage.problem(), points[3], memory), 1);
  fresh->solve(stage.problem(), points[3], 0, r.data(), again.data());
  EXPECT_EQ(d, again);
}

}  // namespace
}  // namespace resilin::test
