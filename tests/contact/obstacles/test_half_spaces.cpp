// Half spaces as an energy: nothing where a point is outside, a square of the depth inside.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/obstacles/half_spaces.h"
#include "simd/pack.h"

namespace resilin {
namespace {

TEST(HalfSpaces, AreASquareOfTheDepthAndNothingOutside) {
  const HalfSpace space{{1, 2, 3}, {0.6, 0, 0.8}, 50};
  const HalfSpaces spaces({space});
  const std::vector<int> slots(lanes, 0);
  const auto kernel = spaces.pack(slots);
  for (const double height : {-0.3, -1e-6, 1e-6, 0.4}) {
    alignas(64) double z[3 * lanes], psi[lanes] = {}, gradient[3 * lanes] = {}, hessian[6 * lanes] = {};
    for (std::size_t k = 0; k < 3; ++k)
      std::fill_n(z + k * lanes, lanes, space.point[k] + height * space.normal[k] + (k == 1 ? 5 : 0));
    Block block;
    block.rows = 1, block.packs = 1, block.z = z, block.psi = psi, block.dpsi_z = gradient, block.d2psi_z = hessian;
    kernel->evaluate(block);
    const double depth = std::min(0.0, height), stiffness = height < 0 ? 50 : 0;
    for (int lane = 0; lane < lanes; ++lane) {
      EXPECT_NEAR(psi[lane], 0.5 * 50 * depth * depth, 1e-12);
      for (int i = 0, h = 0; i < 3; ++i) {
        EXPECT_NEAR(gradient[i * lanes + lane], 50 * depth * space.normal[i], 1e-12);
        for (int j = 0; j <= i; ++j, ++h)
          EXPECT_NEAR(hessian[h * lanes + lane], stiffness * space.normal[i] * space.normal[j], 1e-12) << height;
      }
    }
  }
}

}  // namespace
}  // namespace resilin
