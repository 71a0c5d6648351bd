// What every damping model must satisfy: used by the contract test over the registry and by tests of single models.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "setup/damping_probe.h"
#include "support/setup.h"

namespace resilin::test {

struct DampingCase {
  std::string type;
  Values params;
  double low = 0.7, high = 1.4;  // stretches that are drawn
  bool conserves = false;        // angular momentum
};

/// A random z and a rate of size one; stretches in [low, high], apart from each other: near equal ones functions of
/// single stretches bend so sharply that differences do not resolve them.
inline void draw_state(const DampingCase& of, int size, Random& random, double* z, double* zdot) {
  double u[9], v[9], s[3];
  random.rotation(u), random.rotation(v);
  const double third = (of.high - of.low) / 3;
  for (int k = 0; k < 3; ++k) s[k] = of.low + third * (k + random.uniform(0, 0.8));
  for (int i = 0; i < size; ++i) {
    z[i] = 0;
    for (int k = 0; k < 3; ++k) z[i] += u[3 * (i / 3) + k] * s[k] * v[3 * (i % 3) + k];
    zdot[i] = random.normal();
  }
}

/// R and its two gradients, S and its gradient, all against central differences; R >= 0 and a force against the
/// motion.
inline void check_damping_model(const DampingCase& of) {
  DampingProbe probe(of.type, of.params);
  const int n = probe.size();
  Random random(17);
  for (int draw = 0; draw < 20; ++draw) {
    double z[9], w[9], by_z[9], by_rate[9];
    draw_state(of, n, random, z, w);
    const double r = probe.rate(z, w, by_z, by_rate);
    double power = 0, scale = std::abs(r), torque[3] = {};
    for (int i = 0; i < n; ++i)
      power += w[i] * by_rate[i], scale = std::max({scale, std::abs(by_z[i]), std::abs(by_rate[i])});
    EXPECT_GE(r, 0) << of.type;
    EXPECT_GE(power, -1e-12 * scale) << of.type;
    const double step = 1e-5;
    for (int i = 0; i < n; ++i) {
      double moved[9];
      std::copy_n(z, n, moved);
      moved[i] = z[i] + step;
      const double up = probe.rate(moved, w, nullptr, nullptr);
      moved[i] = z[i] - step;
      EXPECT_NEAR((up - probe.rate(moved, w, nullptr, nullptr)) / (2 * step), by_z[i], 2e-6 * scale)
          << of.type << " dR/dz " << i;
      std::copy_n(w, n, moved);
      moved[i] = w[i] + step;
      const double faster = probe.rate(z, moved, nullptr, nullptr);
      moved[i] = w[i] - step;
      EXPECT_NEAR((faster - probe.rate(z, moved, nullptr, nullptr)) / (2 * step), by_rate[i], 2e-6 * scale)
          << of.type << " dR/dz' " << i;
    }
    for (int r3 = 0; r3 < n; r3 += 3)
      for (int k = 0; k < 3; ++k)
        torque[k] +=
            z[r3 + (k + 1) % 3] * by_rate[r3 + (k + 2) % 3] - z[r3 + (k + 2) % 3] * by_rate[r3 + (k + 1) % 3];
    for (int k = 0; k < 3 && of.conserves; ++k) EXPECT_NEAR(torque[k], 0, 1e-10 * scale) << of.type;
  }
}

inline void check_stage(const DampingCase& of) {
  DampingProbe probe(of.type, of.params);
  const int n = probe.size();
  Random random(23);
  for (int draw = 0; draw < 20; ++draw) {
    double z[9], w[9], origin[9], velocity[9], g[9], moved[9];
    const double tau = 0.02, step = 1e-6;
    draw_state(of, n, random, z, w);
    for (int i = 0; i < n; ++i) origin[i] = z[i] - tau * w[i], velocity[i] = w[i] + 0.3 * random.normal();
    probe.stage(z, origin, velocity, tau, g);
    double scale = 0;
    for (int i = 0; i < n; ++i) scale = std::max(scale, std::abs(g[i]));
    for (int i = 0; i < n; ++i) {
      std::copy_n(z, n, moved);
      moved[i] = z[i] + step;
      const double up = probe.stage(moved, origin, velocity, tau, nullptr);
      moved[i] = z[i] - step;
      EXPECT_NEAR((up - probe.stage(moved, origin, velocity, tau, nullptr)) / (2 * step), g[i], 1e-5 * scale)
          << of.type << " dS/dz " << i;
    }
  }
}

/// Random quadratic forms of the curvature are not negative.
inline void check_curvature(const DampingCase& of) {
  DampingProbe probe(of.type, of.params);
  const int n = probe.size();
  Random random(29);
  for (int draw = 0; draw < 20; ++draw) {
    double z[9], w[9], h[81], x[9], form = 0, size = 0;
    draw_state(of, n, random, z, w);
    probe.curvature(z, w, h);
    for (int i = 0; i < n; ++i) x[i] = random.normal();
    for (int i = 0; i < n * n; ++i) form += x[i / n] * h[i] * x[i % n], size += std::abs(h[i]);
    EXPECT_GE(form, -1e-12 * size) << of.type;
  }
}

inline void check_all(const DampingCase& of) {
  check_damping_model(of);
  check_stage(of);
  check_curvature(of);
}

}  // namespace resilin::test
