#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "contact/obstacles/obstacle_potential.h"
#include "linear/linear_solver.h"
#include "resilin/registry.h"
#include "solvers/precondition/obstacle_level.h"
#include "support/setup.h"

namespace resilin::test {
namespace {

// A box whose lower face is a little below the plane through `height` with that normal.
struct Resting {
  explicit Resting(std::array<double, 3> normal, double height, int cells) {
    Model model = solid(beam_mesh(cells), 1000, "neo_hookean", {{"young", 1e5}});
    std::vector<int> all(static_cast<std::size_t>(model.vertex_count()));
    std::iota(all.begin(), all.end(), 0);
    const auto& plane = plugin<ObstaclePlugin>("obstacle", "plane", "test");
    const Values ground = {{"normal", Value(Value::List{normal[0], normal[1], normal[2]})}, {"height", height}};
    model.terms.push_back({"ground",
                           Elements::points(all),
                           {make_obstacle_potential(plane.make(plane.params.read(Value(ground))), 1e5)}});
    const std::vector<double> q = model.rest;
    stage = std::make_unique<OneStage>(std::move(model), q, 0.02);
    factor.prepare(stage->problem());
    level.begin(stage->problem());
    touches = level.update(q.data(), false);
  }
  std::vector<double> approximate(const std::vector<double>& r) {
    std::vector<double> d(r.size());
    level.apply(r.data(), d.data());
    return d;
  }
  // (A + K)^-1 r, by a factor with 3 x 3 blocks.
  std::vector<double> exact(const std::vector<double>& r) {
    Problem& problem = stage->problem();
    const SymmetricMatrix a = problem.constant().matrix();
    SymmetricMatrix full = problem.linearise(stage->stage().origin.data()).pattern();
    full.clear();
    for (int row = 0; row < a.size(); ++row)
      for (int s = a.start[row]; s < a.start[row + 1]; ++s)
        for (int k = 0; k < 3; ++k)
          full.value[9 * static_cast<std::size_t>(full.find(row, a.column[s])) + 4 * k] = a.value[s];
    for (const auto& point : level.points(0)) {
      const auto& k = point.stiffness;
      const double block[9] = {k[0], k[1], k[3], k[1], k[2], k[4], k[3], k[4], k[5]};
      for (int i = 0; i < 9; ++i)
        full.value[9 * static_cast<std::size_t>(full.find(point.vertex, point.vertex)) + i] += block[i];
    }
    const auto solver = plugin<LinearSolverPlugin>("linear solver", "cholesky", "test").make();
    solver->analyse(full);
    EXPECT_TRUE(solver->factorise(full, problem.space().pool()).positive_definite);
    std::vector<double> d(r.size());
    solver->solve(r.data(), d.data(), problem.space().pool());
    return d;
  }
  std::unique_ptr<OneStage> stage;
  Factor factor{"cholesky"};
  ObstacleLevel level{factor};
  bool touches = false;
};

std::vector<double> noise(std::size_t size, int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  std::vector<double> r(size);
  for (double& x : r) x = random.normal();
  return r;
}
TEST(ObstacleLevel, FewTouchingVerticesAreSolvedExactly) {
  Resting body({0, 1, 0}, -0.49, 2);  // the 27 vertices of the lower face
  ASSERT_TRUE(body.touches);
  ASSERT_EQ(body.level.points(0).size(), 27u);
  const auto r = noise(static_cast<std::size_t>(body.stage->problem().space().size()), 1);
  const auto d = body.approximate(r), wanted = body.exact(r);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < d.size(); ++i)
    difference += std::pow(d[i] - wanted[i], 2), size += wanted[i] * wanted[i];
  EXPECT_LE(std::sqrt(difference / size), 1e-4);  // columns are floats
}

// In any direction, with more touching vertices than patches.
TEST(ObstacleLevel, IsSymmetricAndAtLeastTheExactInverse) {
  for (const std::array<double, 3>& normal : {std::array<double, 3>{0, 1, 0}, {0.6, 0.8, 0}, {1, 2, -2}}) {
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    Resting body(normal, length > 1 ? -0.4 : -0.45, 4);
    ASSERT_TRUE(body.touches);
    ASSERT_GT(body.level.points(0).size(), 32u);
    for (int seed = 1; seed <= 5; ++seed) {
      const auto size = static_cast<std::size_t>(body.stage->problem().space().size());
      auto a = noise(size, seed), b = noise(size, seed + 100);
      // Along the plane the mean step is set exactly, for loads that add up to nothing there: those that gradients
      // are.
      for (auto* load : {&a, &b})
        for (int k = 0; k < 3; ++k) {
          double sum = 0;
          for (std::size_t i = k; i < size; i += 3) sum += (*load)[i];
          for (std::size_t i = k; i < size; i += 3) (*load)[i] -= 3 * sum / static_cast<double>(size);
        }
      const auto ba = body.approximate(a), bb = body.approximate(b);
      EXPECT_NEAR(dot(a, bb), dot(b, ba), 1e-3 * std::sqrt(dot(a, ba) * dot(b, bb)));
      const double exact = dot(a, body.exact(a));
      EXPECT_GE(dot(a, ba), (1 - 1e-4) * exact);
      EXPECT_LE(dot(a, ba), 3 * exact) << "without contact it is far more";
    }
  }
}

TEST(ObstacleLevel, WithoutContactItIsTheFactor) {
  Resting body({0, 1, 0}, -5, 2);
  EXPECT_FALSE(body.touches);
  const auto r = noise(static_cast<std::size_t>(body.stage->problem().space().size()), 3);
  std::vector<double> plain(r.size());
  body.factor.apply(r.data(), plain.data());
  EXPECT_EQ(body.approximate(r), plain);
}

// A body that bounces within a stage: the rows are kept for eight updates, and not for ever.
TEST(ObstacleLevel, RemembersForAWhileWhatHasTouched) {
  Resting body({0, 1, 0}, -0.49, 2);
  ASSERT_EQ(body.level.points(0).size(), 27u);
  auto lifted = body.stage->stage().origin;
  for (std::size_t i = 1; i < lifted.size(); i += 3) lifted[i] += 0.1;
  for (int update = 1; update < 8; ++update) {
    EXPECT_FALSE(body.level.update(lifted.data(), false)) << update;
    EXPECT_EQ(body.level.points(0).size(), 27u) << update;
  }
  EXPECT_TRUE(body.level.update(lifted.data(), false));
  EXPECT_EQ(body.level.points(0).size(), 0u);
}

}  // namespace
}  // namespace resilin::test
