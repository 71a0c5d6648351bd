#include <gtest/gtest.h>

#include "linear/multifrontal.h"
#include "matrices.h"

namespace resilin {
namespace {

// L L^T of the collected columns against the permuted A, entry by entry.
TEST(Multifrontal, FactorReproducesTheMatrix) {
  for (int b : {1, 3}) {
    const SymmetricMatrix a = test::make_grid(5, 4, 6, b);
    const Symbolic s = analyse_pattern(a, OrderingMethod::metis);
    const int n = b * a.size();
    std::vector<double> l(static_cast<std::size_t>(n) * n, 0.0);
    ThreadPool pool(1);
    const auto keep = [&](int node, const double* panel, const Runner&) {
      const int width = b * s.width(node), height = width + b * s.below(node);
      for (int j = 0; j < width; ++j)
        for (int i = j; i < height; ++i) {
          const int row =
              i < width ? b * s.first[node] + i : b * s.row[s.row_start[node] + (i - width) / b] + (i - width) % b;
          l[row + static_cast<std::size_t>(n) * (b * s.first[node] + j)] = panel[i + j * height];
        }
    };
    ASSERT_TRUE(factorise_multifrontal(s, a, pool, keep).positive_definite);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (int k = 0; k <= j; ++k)
          sum += l[i + static_cast<std::size_t>(n) * k] * l[j + static_cast<std::size_t>(n) * k];
        const int p = s.order[i / b], q = s.order[j / b];
        const int slot = a.find(std::max(p, q), std::min(p, q));
        const int r = p >= q ? i % b : j % b, c = p >= q ? j % b : i % b;
        ASSERT_NEAR(sum, slot < 0 ? 0 : a.value[(slot * b + r) * b + c], 1e-11);
      }
  }
}

}  // namespace
}  // namespace resilin
