#include <gtest/gtest.h>

#include <numeric>

#include "solvers/local/contact_step.h"
#include "solvers/precondition/pressed.h"
#include "solvers/precondition/smoothed.h"
#include "support/setup.h"

namespace resilin {
namespace {

using test::dot;
using test::momentum;

// Two boxes that fly towards each other and are pressed flat on each other, with friction.
struct Pressed {
  Pressed() : simulation(pressed_boxes(0.4, 0.2)) {
    pairs = problem().linearise(simulation->positions().data()).pairs();
    factor.prepare(problem());
    on_pairs.begin(problem());
    on_pairs.update(pairs, nullptr);
  }
  Problem& problem() { return simulation->system().problem(); }
  std::vector<double> plain(const std::vector<double>& r) {
    std::vector<double> d(r.size());
    factor.apply(r.data(), d.data());
    return d;
  }
  std::vector<double> smoothed(const std::vector<double>& r) {
    std::vector<double> d(r.size());
    on_pairs.apply(r.data(), d.data());
    return d;
  }
  // (A + K)^-1 r
  std::vector<double> exact(std::vector<double> r) {
    PairSolve solve;
    solve.run(problem(), pairs, factor, 1e-10, r);
    return r;
  }
  // A load that adds up to nothing, as gradients of a body that flies do.
  std::vector<double> load(int seed) const {
    setup::Random random(static_cast<std::uint64_t>(seed));
    std::vector<double> r(simulation->positions().size());
    for (double& x : r) x = random.normal();
    for (std::size_t k = 0; k < 3; ++k) {
      double sum = 0;
      for (std::size_t i = k; i < r.size(); i += 3) sum += r[i];
      for (std::size_t i = k; i < r.size(); i += 3) r[i] -= 3 * sum / static_cast<double>(r.size());
    }
    return r;
  }

  std::unique_ptr<Simulation> simulation;
  std::vector<PairStiffness> pairs;
  Factor factor{"cholesky"};
  Smoothed on_pairs{factor, factor};
};

TEST(Smoothed, IsSymmetricAndBetweenTheExactInverseAndThatWithoutContact) {
  Pressed boxes;
  ASSERT_GT(boxes.pairs.size(), 10u);
  for (int seed = 1; seed <= 5; ++seed) {
    const auto a = boxes.load(seed), b = boxes.load(seed + 100);
    const auto ba = boxes.smoothed(a), bb = boxes.smoothed(b);
    EXPECT_NEAR(dot(a, bb), dot(b, ba), 1e-9 * std::sqrt(dot(a, ba) * dot(b, bb)));
    const double exact = dot(a, boxes.exact(a)), plain = dot(a, boxes.plain(a));
    EXPECT_GE(dot(a, ba), (1 - 1e-9) * exact);
    EXPECT_LT(dot(a, ba), plain);
  }
}

TEST(Smoothed, KeepsTheMomentumOfAnIsland) {
  Pressed boxes;
  auto r = boxes.load(7);
  r[4] += 3;
  const auto d = boxes.smoothed(r);
  const auto mass = boxes.problem().space().coordinates().vertex_mass();
  const double tau = boxes.problem().stage().tau;
  const std::vector<double> ones(mass.size(), 1.0);
  const auto moved = momentum(mass, d), force = momentum(ones, r);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(moved[k], tau * tau * force[k], 1e-12 * mass.size());
}

TEST(Smoothed, WithoutPairsItIsTheSolve) {
  Pressed boxes;
  boxes.on_pairs.begin(boxes.problem());
  boxes.on_pairs.update({}, nullptr);
  const auto r = boxes.load(3);
  EXPECT_EQ(boxes.smoothed(r), boxes.plain(r));
}

}  // namespace
}  // namespace resilin
