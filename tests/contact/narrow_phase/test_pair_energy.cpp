// The energy of near parts of surfaces: its derivatives, and that a vertex on a surface touches it once.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "contact/narrow_phase/closest_points.h"
#include "contact/narrow_phase/pair_energy.h"
#include "core/thread_pool.h"
#include "problem/blocks/listed_packs.h"
#include "problem/coordinates.h"

namespace resilin {
namespace {

constexpr double k = 300, r = 0.1;

TEST(OffsetEnergy, IsTwiceDifferentiableAndGoesOnAsALine) {
  const double e = 1e-7;
  for (double d = 0.0003; d < 0.12; d += 0.00137) {
    const OffsetEnergy here = offset_energy(d, k, r), up = offset_energy(d + e, k, r),
                       down = offset_energy(d - e, k, r);
    EXPECT_NEAR((up.value - down.value) / (2 * e), here.slope, 1e-5 * k * r) << d;
    if (std::abs(d - r) > 2 * e && std::abs(d - 0.01 * r) > 2 * e && d > 0.01 * r) {
      EXPECT_NEAR((up.slope - down.slope) / (2 * e), here.curvature, 1e-4 * here.curvature + 1e-6) << d;
    }
    EXPECT_LE(here.slope, 0) << d;
  }
  EXPECT_EQ(offset_energy(r, k, r).value, 0);
  EXPECT_TRUE(std::isfinite(offset_energy(0, k, r).value));
}

struct Summed {
  double energy = 0;
  std::vector<double> gradient;
};
// Runs op(packs, coordinates, pool) on the packs of one term, on vertices at x.
template <class Op>
void with_packs(const Term& term, const std::vector<double>& x, Op&& op) {
  Model model;
  model.rest = x, model.mass.assign(x.size() / 3, 1.0);
  const std::vector<int> free(x.size() / 3, 0);
  const VertexCoordinates coordinates(model, free);
  ThreadPool pool(1);
  ListedPacks packs(term);
  op(packs, coordinates, pool);
}

Summed evaluate(const Term& term, const std::vector<double>& x) {
  Summed out{0, std::vector<double>(x.size(), 0.0)};
  with_packs(term, x, [&](ListedPacks& packs, const VertexCoordinates& coordinates, ThreadPool& pool) {
    packs.evaluate(coordinates, x.data(), 1, pool);
    packs.energies([&](int, double energy) { out.energy += energy; });
    packs.gradients([&](int v, const double g[3]) {
      for (int i = 0; i < 3; ++i) out.gradient[static_cast<std::size_t>(3 * v + i)] += g[i];
    });
  });
  return out;
}

TEST(PairEnergy, GradientMatchesFiniteDifferences) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> near(-0.06, 0.06);
  for (int round = 0; round < 200; ++round) {
    PairTerm pairs;
    if (round % 2 == 0) pairs.add({0, 1, 2, 3}, VertexTriangle{k, r, {0.5, 0.5, 0}, {0.25, 0, 1.0 / 6}});
    else pairs.add({0, 1, 2, 3}, EdgeEdge{k, r});
    const Term term = std::move(pairs).finish();
    std::vector<double> x(12);
    for (double& value : x) value = near(random);
    const Summed here = evaluate(term, x);
    double sum[3] = {};
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double e = 1e-7, at = x[i];
      x[i] = at + e;
      const double up = evaluate(term, x).energy;
      x[i] = at - e;
      const double down = evaluate(term, x).energy;
      x[i] = at;
      EXPECT_NEAR((up - down) / (2 * e), here.gradient[i], 2e-4 * k * r) << round << " " << i;
      sum[i % 3] += here.gradient[i];
    }
    for (const double s : sum) EXPECT_NEAR(s, 0, 1e-12 * k * r);
  }
}

// d2E/dx2 by blocks of two vertices.
std::vector<double> hessian(const Term& term, const std::vector<double>& x, bool filter) {
  std::vector<double> out(144, 0.0);
  with_packs(term, x, [&](ListedPacks& packs, const VertexCoordinates& coordinates, ThreadPool& pool) {
    packs.hessians(coordinates, x.data(), filter, pool, [&](int, const double* blocks) {
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b)
          for (std::size_t i = 0; i < 9; ++i)
            out[12 * (3 * a + i / 3) + 3 * b + i % 3] += blocks[9 * (4 * a + b) + i];
    });
  });
  return out;
}

// Which parts the closest points lie on: the number of weights that are not zero.
int case_of(bool edges, const std::vector<double>& x) {
  const auto closest =
      edges ? closest_edge_edge(&x[0], &x[3], &x[6], &x[9]) : closest_vertex_triangle(&x[0], &x[3], &x[6], &x[9]);
  int out = 0;
  for (const double weight : closest.weight) out += weight != 0 ? 1 : 0;
  return out;
}

// Central differences of the gradient, at two distances: where they disagree, a closest point passes from one part
// to another in between, and the second derivative jumps.
TEST(PairEnergy, HessianMatchesFiniteDifferencesInEveryCaseOfTheClosestPoints) {
  std::mt19937 random(14);
  std::uniform_real_distribution<double> near(-0.06, 0.06);
  std::map<std::pair<bool, int>, int> seen;
  for (int round = 0; round < 600; ++round) {
    const bool edges = round % 2 == 1;
    PairTerm pairs;
    if (edges) pairs.add({0, 1, 2, 3}, EdgeEdge{k, r});
    else pairs.add({0, 1, 2, 3}, VertexTriangle{k, r, {0.5, 0.5, 0}, {0.25, 0, 1.0 / 6}});
    const Term term = std::move(pairs).finish();
    std::vector<double> x(12);
    for (double& value : x) value = near(random);
    const std::vector<double> exact = hessian(term, x, false);
    double largest = k;
    for (const double entry : exact) largest = std::max(largest, std::abs(entry));
    std::vector<double> coarse(144), fine(144);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (auto* to : {&coarse, &fine}) {
        const double e = to == &coarse ? 2e-7 : 1e-7, at = x[i];
        x[i] = at + e;
        const Summed up = evaluate(term, x);
        x[i] = at - e;
        const Summed down = evaluate(term, x);
        x[i] = at;
        for (std::size_t j = 0; j < x.size(); ++j)
          (*to)[12 * j + i] = (up.gradient[j] - down.gradient[j]) / (2 * e);
      }
    double jump = 0, error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      jump = std::max(jump, std::abs(coarse[i] - fine[i])), error = std::max(error, std::abs(fine[i] - exact[i]));
    if (jump > 1e-5 * largest) continue;
    ++seen[{edges, case_of(edges, x)}];
    EXPECT_LE(error, 1e-5 * largest) << round << " case " << case_of(edges, x);
  }
  for (const int weights : {2, 3, 4}) {
    EXPECT_GE((seen[{false, weights}]), 15) << "corner, edge or face: " << weights;
    EXPECT_GE((seen[{true, weights}]), 15) << "ends or insides of edges: " << weights;
  }
}

TEST(PairEnergy, FilteredHessianIsSemidefiniteAndNotBelowTheExactOne) {
  std::mt19937 random(15);
  std::uniform_real_distribution<double> near(-0.06, 0.06);
  std::normal_distribution<double> normal;
  int indefinite = 0;
  for (int round = 0; round < 100; ++round) {
    PairTerm pairs;
    if (round % 2 == 1) pairs.add({0, 1, 2, 3}, EdgeEdge{k, r});
    else pairs.add({0, 1, 2, 3}, VertexTriangle{k, r, {0.5, 0.5, 0}, {0.25, 0, 1.0 / 6}});
    const Term term = std::move(pairs).finish();
    std::vector<double> x(12), p(12);
    for (double& value : x) value = near(random);
    const std::vector<double> exact = hessian(term, x, false), filtered = hessian(term, x, true);
    double largest = 0;
    for (const double entry : filtered) largest = std::max(largest, std::abs(entry));
    bool negative = false;
    for (int i = 0; i < 50; ++i) {
      for (double& value : p) value = normal(random);
      double of_exact = 0, of_filtered = 0, square = 0;
      for (std::size_t a = 0; a < 12; ++a)
        for (std::size_t b = 0; b < 12; ++b)
          of_exact += p[a] * exact[12 * a + b] * p[b], of_filtered += p[a] * filtered[12 * a + b] * p[b];
      for (const double value : p) square += value * value;
      EXPECT_GE(of_filtered, -1e-10 * largest * square);
      EXPECT_GE(of_filtered - of_exact, -1e-10 * largest * square);
      negative = negative || of_exact < -1e-10 * largest * square;
    }
    indefinite += negative ? 1 : 0;
  }
  EXPECT_GE(indefinite, 20) << "the filter had something to do";
}

double edges_energy(const std::vector<double>& x) {
  PairTerm pairs;
  pairs.add({0, 1, 2, 3}, EdgeEdge{k, r});
  return evaluate(std::move(pairs).finish(), x).energy;
}

// One edge slides along another from between its ends to beyond one of them; what the vertex at that end has of the
// contact makes up the rest.
TEST(PairEnergy, EdgesAndTheirEndsTouchOnce) {
  const double d = 0.06;
  for (double s = -0.05; s < 0.3; s += 0.01) {
    const double energy = edges_energy({-s, d, 0, 1 - s, d, 0, 0, 0, -0.5, 0, 0, 0.5});
    const double end = offset_energy(std::hypot(d, s), k, r).value, whole = offset_energy(d, k, r).value;
    EXPECT_NEAR(energy, s > 0 ? whole - end : 0, 1e-12 * k * r * r) << s;
  }
}

TEST(PairEnergy, EdgesPushWhereverTheyCrossAndNotWhereTheyAreParallel) {
  for (const double s : {0.02, 0.3, 0.5}) {
    const auto at = [&](double d) { return edges_energy({-s, d, 0, 1 - s, d, 0, 0, 0, -0.5, 0, 0, 0.5}); };
    EXPECT_GT(at(0.002), 0.1 * offset_energy(0.002, k, r).value) << s;
    EXPECT_GT(at(0.002), at(0.02)) << s;
  }
  EXPECT_NEAR(edges_energy({0, 0.05, 0, 1, 0.05, 0, 0.3, 0, 0, 1.3, 0, 0}), 0, 1e-12 * k * r * r);
}

// A flat sheet of 4 x 4 squares, each cut in two; a vertex above its inner part feels one plane, wherever it is.
TEST(PairEnergy, AVertexOnASurfaceTouchesItOnce) {
  constexpr int n = 5;
  std::vector<std::array<int, 3>> triangles;
  std::vector<double> x = {0, 0, 0};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) x.insert(x.end(), {0.25 * i, 0.25 * j, 0.0});
  for (int j = 0; j + 1 < n; ++j)
    for (int i = 0; i + 1 < n; ++i) {
      const int a = 1 + j * n + i;
      triangles.push_back({a, a + 1, a + n + 1}), triangles.push_back({a, a + n + 1, a + n});
    }
  PairTerm pairs;
  std::array<double, 3> force{};
  const auto inner = [](int v) {
    return (v - 1) % n > 0 && (v - 1) % n < n - 1 && (v - 1) / n > 0 && (v - 1) / n < n - 1;
  };
  std::vector<std::pair<std::array<int, 4>, VertexTriangle>> all;
  for (const auto& t : triangles) {
    VertexTriangle numbers{k, r, {}, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      const int p = t[i], q = t[(i + 1) % 3];
      const bool border = ((p - 1) % n == (q - 1) % n && ((p - 1) % n == 0 || (p - 1) % n == n - 1)) ||
                          ((p - 1) / n == (q - 1) / n && ((p - 1) / n == 0 || (p - 1) / n == n - 1));
      numbers.inner_edges[i] = border ? 0 : 0.5;
      numbers.inner_corners[i] = inner(p) ? 1.0 / 6 : 0;
    }
    all.push_back({{0, t[0], t[1], t[2]}, numbers});
    pairs.add(all.back().first, numbers);
  }
  const Term term = std::move(pairs).finish();
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(0.2, 0.8), height(0.02, 0.09);
  for (int round = 0; round < 100; ++round) {
    x[0] = place(random), x[1] = place(random), x[2] = height(random);
    if (round % 4 == 1) x[0] = 0.5;               // over an edge
    if (round % 4 == 2) x[0] = 0.5, x[1] = 0.25;  // over a corner
    if (round % 4 == 3) x[1] = x[0];              // over a diagonal
    const Summed here = evaluate(term, x);
    const OffsetEnergy plane = offset_energy(x[2], k, r);
    EXPECT_NEAR(here.energy, plane.value, 1e-12 * k * r * r) << round;
    EXPECT_NEAR(here.gradient[2], plane.slope, 1e-10 * k * r) << round;
    EXPECT_NEAR(here.gradient[0], 0, 1e-10 * k * r) << round;
    force = {};
    for (const auto& [vertices, numbers] : all) {
      const auto one = side_force(numbers, vertices, x.data());
      for (std::size_t i = 0; i < 3; ++i) force[i] += one[i];
    }
    EXPECT_NEAR(force[2], -plane.slope, 1e-10 * k * r) << round;
  }
}

}  // namespace
}  // namespace resilin
