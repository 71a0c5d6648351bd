#include <cmath>

#include "potentials/damping/damping_checks.h"

namespace resilin::test {
namespace {

// S = tau R(z, w), and in the second form minus tau R(z, v_n) (Brown et al. Eq. 30), with w = (z - z_n)/tau.
TEST(Damping, TheSecondFormTakesOffTheRateOfTheBeginning) {
  const double tau = 0.05;
  for (const char* order : {"first", "second"}) {
    DampingProbe probe("strain_rate", {{"shear", 3.0}, {"bulk", 2.0}, {"order", order}});
    Random random(11);
    double z[9], origin[9], velocity[9], w[9], ignored[9];
    draw_state({}, 9, random, z, ignored);
    for (int i = 0; i < 9; ++i)
      w[i] = random.normal(), velocity[i] = random.normal(), origin[i] = z[i] - tau * w[i];
    const double now = tau * probe.rate(z, w, nullptr, nullptr),
                 before = tau * probe.rate(z, velocity, nullptr, nullptr);
    ASSERT_GT(before, 0.01);
    const double wanted = now - (order == std::string("second") ? before : 0);
    EXPECT_NEAR(probe.stage(z, origin, velocity, tau, nullptr), wanted, 1e-9 * now) << order;
  }
}

}  // namespace
}  // namespace resilin::test
