#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "simd/eigen9.h"

namespace resilin {
namespace {

constexpr int n = 9, entries = n * (n + 1) / 2;

double entry(const double* h, int i, int j) { return i >= j ? h[i * (i + 1) / 2 + j] : h[j * (j + 1) / 2 + i]; }

// Moreau: P is the nearest semidefinite matrix to H when P and P - H are semidefinite and orthogonal to each other.
TEST(Eigen9, ProjectsOntoTheNearestSemidefiniteMatrix) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 50; ++round) {
    const double scale = std::pow(10.0, round % 25 - 12);
    alignas(64) double in[entries * lanes];
    Pack h[entries];
    for (int i = 0; i < entries; ++i) {
      for (int l = 0; l < lanes; ++l) in[i * lanes + l] = scale * normal(random);
      h[i] = load(in + i * lanes);
    }
    project_psd9(h);
    for (int l = 0; l < lanes; ++l) {
      double before[entries], after[entries], square = 0, product = 0;
      for (int i = 0; i < entries; ++i) before[i] = in[i * lanes + l], after[i] = h[i][l];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          square += std::pow(entry(before, i, j), 2);
          product += entry(after, i, j) * (entry(after, i, j) - entry(before, i, j));
        }
      EXPECT_NEAR(product, 0, 1e-12 * square);
      for (int k = 0; k < 20; ++k) {
        double x[n], of_after = 0, of_before = 0, size = 0;
        for (double& value : x) value = normal(random), size += value * value;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            of_after += x[i] * entry(after, i, j) * x[j], of_before += x[i] * entry(before, i, j) * x[j];
        EXPECT_GE(of_after, -1e-12 * std::sqrt(square) * size);
        EXPECT_GE(of_after - of_before, -1e-12 * std::sqrt(square) * size);
      }
    }
  }
}

TEST(Eigen9, KeepsWhatIsSemidefiniteAndWhatIsNotFinite) {
  Pack h[entries] = {};
  for (int i = 0; i < n; ++i) h[i * (i + 1) / 2 + i] = constant<Pack>(i);  // semidefinite in all lanes
  h[0][3] = 1, h[1][3] = 0.5;                                              // still so
  h[0][5] = std::nan("");
  h[44][6] = -1;  // indefinite in lane 6 only
  Pack before[entries];
  std::copy_n(h, entries, before);
  project_psd9(h);
  for (int i = 0; i < entries; ++i)
    for (int l = 0; l < lanes; ++l) {
      if (l == 6) continue;
      if (std::isnan(before[i][l])) EXPECT_TRUE(std::isnan(h[i][l]));
      else EXPECT_EQ(h[i][l], before[i][l]) << i << " " << l;
    }
  EXPECT_NEAR(h[44][6], 0, 1e-14);
}

}  // namespace
}  // namespace resilin
