#include "potentials/damping/damping_checks.h"

namespace resilin::lab {
namespace {

TEST(Rayleigh, KeepsThePromisesOfDamping) {
  for (const char* momentum : {"off", "projection", "velocity_gradient"})
    for (const char* order : {"first", "second"})
      check_all({.type = "rayleigh",
                 .params = {{"beta", 0.01}, {"momentum", momentum}, {"order", order}},
                 .low = 1,
                 .high = 1.5,
                 .conserves = momentum != std::string("off")});
}

// In compression the stiffness has negative eigenvalues, which are cut off.
TEST(Rayleigh, KeepsThemInCompression) {
  check_all({.type = "rayleigh", .params = {{"beta", 0.01}, {"momentum", "off"}}, .low = 0.5, .high = 0.95});
  check_all({.type = "rayleigh", .params = {{"beta", 0.01}}, .low = 0.5, .high = 0.95, .conserves = true});
}

// E30: K(x) (w x x) = w x grad U: torque-free only at zero stress.
TEST(Rayleigh, UncorrectedDampsTheSpinOfAStressedBody) {
  DampingProbe plain("rayleigh", {{"beta", 0.01}, {"momentum", "off"}}), corrected("rayleigh", {{"beta", 0.01}});
  const double z[9] = {1.3, 0, 0, 0, 1.2, 0, 0, 0, 1.1}, spin[9] = {0, 1.3, 0, -1.2, 0, 0, 0, 0, 0};  // z' = z W
  EXPECT_GT(plain.rate(z, spin, nullptr, nullptr), 1);
  EXPECT_NEAR(corrected.rate(z, spin, nullptr, nullptr), 0, 1e-9);
}

}  // namespace
}  // namespace resilin::lab
