// The energy of a pair down to the distance 0, where the two sides touch: large, finite, and one function of the
// distance whoever evaluates it.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/narrow_phase/pair_energy.h"
#include "core/thread_pool.h"
#include "problem/blocks/listed_packs.h"
#include "problem/coordinates.h"

namespace resilin {
namespace {

constexpr double k = 300, r = 0.1;

// A vertex above the middle of a triangle without neighbours.
TEST(PairEnergy, IsThatOfTheDistanceDownToNone) {
  PairTerm pairs;
  pairs.add({0, 1, 2, 3}, VertexTriangle{k, r, {}, {}});
  const Term term = std::move(pairs).finish();
  for (const double d : {0.0, 1e-12, 1e-5, 0.2 * r, 0.4 * r, 0.6 * r, 0.99 * r, 1.01 * r}) {
    Model model;
    model.rest = {0, d, 0, -1, 0, -1, 1, 0, -1, 0, 0, 1}, model.mass.assign(4, 1.0);
    const std::vector<int> free(4, 0);
    const VertexCoordinates coordinates(model, free);
    ThreadPool pool(1);
    ListedPacks packs(term);
    packs.evaluate(coordinates, model.rest.data(), 1, pool);
    const OffsetEnergy wanted = offset_energy(d, k, r);
    packs.energies([&](int, double energy) { EXPECT_NEAR(energy, wanted.value, 1e-12 * k * r * r) << d; });
    packs.gradients([&](int v, const double g[3]) {
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isfinite(g[i])) << d;
      if (v == 0 && d > 0) {
        EXPECT_NEAR(g[1], wanted.slope, 1e-9 * std::abs(wanted.slope) + 1e-12) << d;
      }
    });
  }
}

}  // namespace
}  // namespace resilin
