// ln J continued below J0 by its quadratic Taylor polynomial (X10), twice continuously differentiable:
//   L(J) = ln J0 + t - t^2 / 2,  t = (J - J0) / J0,  for J < J0.
// Flat and inverted elements then have an energy that pushes them back. Shared by the materials that contain ln J.
#pragma once
#include "potentials/material.h"
#include "simd/pack.h"

namespace resilin {

inline Param extension_param() {
  return field("j0", "", 0.1, {0, 1, true, true},
               "volume ratio J below which a quadratic polynomial replaces ln J");
}

template <Real T>
Jet<T> extended_log(T j, T j0, T log_j0) {
  const T safe = max(j, j0), t = (j - j0) / j0;
  const auto below = j < j0;
  return {select(below, log_j0 + t - 0.5 * t * t, log(safe)), select(below, (1.0 - t) / j0, 1.0 / safe),
          select(below, -1.0 / (j0 * j0), -1.0 / (safe * safe))};
}

// c(J) = -mu L + lambda/2 L^2, the volumetric part of neo-Hookean solids.
template <Real T>
Jet<T> logarithmic_volume(T j, T mu, T lambda, T j0, T log_j0) {
  const Jet<T> l = extended_log(j, j0, log_j0);
  const T slope = lambda * l.f - mu;
  return {(0.5 * lambda * l.f - mu) * l.f, slope * l.d, slope * l.dd + lambda * l.d * l.d};
}

}  // namespace resilin
