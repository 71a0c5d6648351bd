// What the rubbers of materials/rubber.h share.
#pragma once
#include "potentials/material_checks.h"

namespace resilin {

/// Nominal stress of an incompressible bar: stretches l, 1/sqrt(l), 1/sqrt(l), the pressure such that its sides are
/// free.
inline double bar_stress(const MaterialPlugin& plugin, const Settings& settings, double l) {
  const double t = 1 / std::sqrt(l);
  const StretchJet<double> at = plugin.energy(settings)({l, t, t});
  return at.d[0] - at.d[1] * t / l;
}

inline void check_moduli_at_rest(const MaterialPlugin& plugin, const Settings& settings, double mu, double bulk) {
  const Lame rest = lame_at_rest(plugin, settings);
  EXPECT_NEAR(rest.mu, mu, 1e-12 * (mu + bulk));
  EXPECT_NEAR(rest.lambda + 2.0 / 3 * rest.mu, bulk, 1e-12 * (mu + bulk));
}

/// An element turned inside out along one axis is pushed back, however far, and nothing overflows on the way.
inline void check_pushed_back(const MaterialPlugin& plugin, const Settings& settings) {
  const auto energy = plugin.energy(settings);
  for (const double s : {0.05, 0.0, -0.5, -1.0, -10.0, -1000.0}) {
    const StretchJet<double> at = energy({1, 1, s});
    EXPECT_TRUE(std::isfinite(at.psi) && std::isfinite(at.h[2])) << s;
    EXPECT_LT(at.d[2], 0) << s;
  }
}

}  // namespace resilin
