#include <gtest/gtest.h>

#include <cmath>

#include "solvers/precondition/factor.h"
#include "solvers/precondition/interface_rows.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/precondition/pressed.h"

namespace resilin {
namespace {

// sum k (g . d)^2
double square(const std::vector<RankOneStiffness>& rows, const std::vector<double>& d) {
  double sum = 0;
  for (const RankOneStiffness& row : rows) {
    double along = 0;
    for (std::size_t i = 0; i < row.gradient.size(); ++i)
      along += row.gradient[i] * d[3 * static_cast<std::size_t>(row.vertices[i / 3]) + i % 3];
    sum += row.stiffness * along * along;
  }
  return sum;
}

// A shift of one body stretches every pair alike: there rows have the energy of all pairs, along their normals and,
// where they stick, along the interface.
TEST(InterfaceRows, HaveTheEnergyOfTheirPairsForAShiftOfABody) {
  const auto simulation = pressed_boxes();
  Problem& problem = simulation->system().problem();
  const std::vector<double>& y = simulation->positions();
  std::vector<PairStiffness> pairs = problem.linearise(y.data()).pairs();
  std::erase_if(pairs, [](const PairStiffness& pair) { return std::abs(pair.normal[1]) < 0.999; });
  ASSERT_GT(pairs.size(), 10u);
  for (const double sticking : {0.0, 70.0}) {
    double normal = 0, tangential = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      pairs[i].stiffness = 100, pairs[i].tangential = i % 2 == 0 ? sticking : 0;
      pairs[i].normal = {0, pairs[i].normal[1] > 0 ? 1.0 : -1.0, 0};
      normal += pairs[i].stiffness, tangential += pairs[i].tangential;
    }
    std::vector<RankOneStiffness> rows;
    add_interface_rows(problem, y.data(), pairs, rows);
    EXPECT_EQ(count_in_rows(pairs), pairs.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<double> d(y.size(), 0.0);
      for (std::size_t i = y.size() / 2 + axis; i < y.size(); i += 3) d[i] = 0.3;
      const double wanted = 0.09 * (axis == 1 ? normal : tangential);
      EXPECT_NEAR(square(rows, d), wanted, 1e-9 * normal) << axis << " " << sticking;
    }
  }
}

TEST(InterfaceRows, PairsThatSlideAndPairsOfOneBodyHaveNone) {
  const auto simulation = pressed_boxes();
  Problem& problem = simulation->system().problem();
  std::vector<PairStiffness> pairs = problem.linearise(simulation->positions().data()).pairs();
  std::vector<RankOneStiffness> rows;
  for (PairStiffness& pair : pairs) pair.stiffness = pair.tangential = 0;
  EXPECT_EQ(count_in_rows(pairs), 0u);
  add_interface_rows(problem, simulation->positions().data(), pairs, rows);
  EXPECT_EQ(rows.size(), 0u);
  for (PairStiffness& pair : pairs) pair.stiffness = 1, pair.vertices = {0, 1, 2, 3};
  add_interface_rows(problem, simulation->positions().data(), pairs, rows);
  EXPECT_EQ(rows.size(), 0u);
}

// d = (B^-1 + sum k g g^T)^-1 r means d = B (r - sum k g (g . d)): rows of any direction, and along single axes.
TEST(LowRank, SolvesWithItsRows) {
  const auto simulation = pressed_boxes();
  Problem& problem = simulation->system().problem();
  const std::size_t size = simulation->positions().size();
  Factor factor(InnerSolve("cholesky"));
  factor.prepare(problem);
  const double stiffness = 1e3;
  for (const bool single : {true, false}) {
    std::vector<RankOneStiffness> rows;
    for (int n = 0; n < 7; ++n) {
      RankOneStiffness row{{5 * n, 5 * n + 1, static_cast<int>(size / 3) - 1 - n}, {}, stiffness * (n + 1)};
      for (int i = 0; i < 9; ++i)
        row.gradient.push_back(single && i % 3 != (n + 1) % 3 ? 0 : std::sin(1.0 + 3 * n + i));
      rows.push_back(std::move(row));
    }
    LowRank level(factor);
    level.set(problem, rows);
    ASSERT_EQ(level.rows(), 7);
    const std::vector<double> r = random_load(size, 5);
    std::vector<double> d(size), left = r, again(size);
    level.apply(r.data(), d.data());
    for (const RankOneStiffness& row : rows) {
      double along = 0;
      for (std::size_t i = 0; i < 9; ++i)
        along += row.gradient[i] * d[3 * static_cast<std::size_t>(row.vertices[i / 3]) + i % 3];
      for (std::size_t i = 0; i < 9; ++i)
        left[3 * static_cast<std::size_t>(row.vertices[i / 3]) + i % 3] -= row.stiffness * along * row.gradient[i];
    }
    factor.apply(left.data(), again.data());
    EXPECT_LT(relative_gap(again, d), 1e-9) << single;
    std::vector<double> plain(size);
    factor.apply(r.data(), plain.data());
    EXPECT_GT(relative_gap(plain, d), 0.01) << "rows that matter";
  }
}

}  // namespace
}  // namespace resilin
