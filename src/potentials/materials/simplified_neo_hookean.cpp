// Simplified neo-Hookean solid (Macklin and Mueller 2021):
//   psi = mu/2 (I_C - 3) + l/2 (J - 1 - mu/l)^2,   l = lambda + mu.
// With l = lambda, as printed, the solid at rest would have the first Lame constant lambda - mu;
// adding mu gives the material that young and poisson ask for (Part 0 item 5). The constant mu^2/(2 l) is left out,
// so that psi = 0 at rest. Polynomial in F: no logarithm, and finite restoring forces under inversion.
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct SimplifiedNeoHookean {
  static constexpr int coefficients = 2;  // mu, l = lambda + mu

  static Params params() { return lame_params(); }
  static void prepare(const Settings& s, int element, double* c) {
    const Lame l = lame(s, element);
    c[0] = l.mu, c[1] = l.lambda + l.mu;
  }

  template <Real T>
  Jet<T> a(T x, const T* c) const {
    return {0.5 * c[0] * (x * x - 1.0), c[0] * x, c[0]};
  }
  template <Real T>
  Jet<T> c(T j, const T* c) const {
    const T e = j - 1.0;
    return {(0.5 * c[1] * e - c[0]) * e, c[1] * e - c[0], c[1]};
  }
  template <Real T>
  T invariants(const T z[9], const T* c, T p[9]) const {
    T cof[9];
    cofactor(z, cof);
    const Jet<T> volume = this->c(dot3(z[0], z[1], z[2], cof[0], cof[1], cof[2]), c);
    for (int i = 0; i < 9; ++i) p[i] = c[0] * z[i] + volume.d * cof[i];
    return 0.5 * c[0] * (squared_norm(z) - 3.0) + volume.f;
  }
};

}  // namespace

MaterialPlugin material_simplified_neo_hookean() {
  return valanis_landel<SimplifiedNeoHookean>("simplified_neo_hookean",
                                              "Neo-Hookean without the logarithm (Macklin and Mueller 2021), "
                                              "lambda corrected so that young and poisson hold at rest.");
}

}  // namespace resilin
