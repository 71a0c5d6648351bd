// St. Venant-Kirchhoff solid: psi = mu tr E^2 + lambda/2 tr^2 E with Green's strain E = (F^T F - I)/2. Softens
// under compression (f = 0 at s = 0, a flat element is in unstable balance) and cannot tell an inverted element
// from its mirror image: for moderate compression only. Valanis-Landel form: X45.
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct StVenantKirchhoff : LameCoefficients {
  // With y = x^2 - 1: tr E^2 = sum y^2/4 and tr^2 E = (sum y)^2/4, whose mixed products come from
  // (s_i s_j)^2 - 1 = y_i y_j + y_i + y_j. Constants are such that a(1) = b(1) = 0.
  template <Real T>
  Jet<T> a(T x, const T* c) const {
    const T y = x * x - 1.0;
    return {0.25 * y * (c[0] * y + 0.5 * c[1] * (y - 4.0)), x * (c[0] * y + 0.5 * c[1] * (y - 2.0)),
            c[0] * (3.0 * x * x - 1.0) + 1.5 * c[1] * y};
  }
  template <Real T>
  Jet<T> b(T x, const T* c) const {
    return {0.25 * c[1] * (x * x - 1.0), 0.5 * c[1] * x, 0.5 * c[1]};
  }

  // With z = F^T: E = (z z^T - I)/2 and dpsi/dz = S z, S = 2 mu E + lambda tr(E) I.
  template <Real T>
  T invariants(const T z[9], const T* c, T p[9]) const {
    T s[9];
    multiply_nt(z, z, s);
    for (int i = 0; i < 9; ++i) s[i] = 0.5 * (i % 4 == 0 ? s[i] - 1.0 : s[i]);
    const T tr = trace(s), psi = c[0] * squared_norm(s) + 0.5 * c[1] * tr * tr;
    for (int i = 0; i < 9; ++i) s[i] = 2.0 * c[0] * s[i] + (i % 4 == 0 ? c[1] * tr : constant<T>(0));
    multiply(s, z, p);
    return psi;
  }

  // |E| with the gradient (E/|E|) z, and tr E with the gradient z.
  static constexpr int rows = 3, constraints = 2;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    T e[9], direction[9];
    multiply_nt(z, z, e);
    for (int i = 0; i < 9; ++i) e[i] = 0.5 * (i % 4 == 0 ? e[i] - 1.0 : e[i]);
    value[0] = length_constraint<9>(e, direction);
    multiply(direction, z, gradient);
    value[1] = trace(e);
    for (int i = 0; i < 9; ++i) gradient[9 + i] = z[i];
    stiffness[0] = 2.0 * c[0], stiffness[1] = c[1];
  }
};

}  // namespace

MaterialPlugin material_st_venant_kirchhoff() {
  return valanis_landel<StVenantKirchhoff>("st_venant_kirchhoff",
                                           "Stress linear in Green's strain E: mu tr E^2 + lambda/2 tr^2 E. It "
                                           "softens under compression and does not resist inversion.");
}

}  // namespace resilin
