// Rubber given by one function W, its energy when incompressible:
//   psi = W(x) + lambda/2 L^2,   x = I1 - 3 - 2 L,   L = ln J, continued quadratically below J0 (extended_log.h).
// x >= 0, as I1 >= 3 |J|^(2/3), and x = I1 - 3 at J = 1. Near rest x is of second order in the strain: there is no
// stress, mu = 2 W'(0) and lambda = bulk - 2/3 mu, whatever W'' is. W = mu/2 x is the neo-Hookean solid. A Shape
// has
//   static constexpr int coefficients;  static Params params();
//   static double prepare(const Settings&, int element, double* c);   returns mu
//   template <Real T> static Jet<T> w(T x, const T* c);               W(0) = 0; finite and rising for all x >= 0
#pragma once
#include <cmath>

#include "potentials/invariants.h"
#include "potentials/materials/extended_log.h"

namespace resilin {

/// c[0] x + c[1] x^2 + ... + c[n - 1] x^n by Horner's rule.
template <int n, Real T>
Jet<T> power_series(T x, const T* c) {
  T g = c[n - 1], d = constant<T>(0), dd = constant<T>(0);  // the series is x g(x)
  for (int i = n - 2; i >= 0; --i) dd = dd * x + 2.0 * d, d = d * x + g, g = g * x + c[i];
  return {x * g, g + x * d, 2.0 * d + x * dd};
}

template <class Shape>
struct Rubber {
  static constexpr int coefficients = 3 + Shape::coefficients;  // lambda, J0, ln J0, those of W

  static Params params() {
    return Shape::params().add(
        {field("bulk", "Pa", 1.67e5, positive(), "bulk modulus at rest"), extension_param()});
  }
  static void prepare(const Settings& s, int element, double* c) {
    const double mu = Shape::prepare(s, element, c + 3);
    c[0] = s.number("bulk", element) - 2.0 / 3 * mu, c[1] = s.number("j0", element), c[2] = std::log(c[1]);
  }

  template <Real T>
  InvariantJet<T> energy(T i1, T, T j, const T* c) const {
    const Jet<T> l = extended_log(j, c[1], c[2]), w = Shape::w(i1 - 3.0 - 2.0 * l.f, c + 3);
    const T zero = constant<T>(0), slope = c[0] * l.f - 2.0 * w.d;
    return {w.f + 0.5 * c[0] * l.f * l.f,
            {w.d, zero, slope * l.d},
            {w.dd, zero, slope * l.dd + (c[0] + 4.0 * w.dd) * l.d * l.d, zero, -2.0 * w.dd * l.d, zero}};
  }
};

}  // namespace resilin
