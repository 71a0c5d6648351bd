// Simplified neo-Hookean solid (Macklin and Mueller 2021):
//   psi = mu/2 (I_C - 3) + l/2 (J - 1 - mu/l)^2,   l = lambda + mu.
// With l = lambda, as printed, the solid at rest would have the first Lame constant lambda - mu;
// adding mu gives the material that young and poisson ask for. The constant mu^2/(2 l) is left out,
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

  // Shape and volume, both zero at rest: with l' = min(l, 2 mu)
  //   c_0^2 = I_C - 3 - 2 (J - 1) + l'/mu (J - 1)^2,   k = mu;      c_1 = J - 1,   k = l - l'.
  // c_0^2 >= 0 as I_C >= 3 |J|^(2/3) and l' >= mu. Not |F| and J - 1 - mu/l as in the paper: those balance at rest
  // by large multipliers whose directions go stale within a stage (docs/theory/xpbd.md).
  static constexpr int rows = 3, constraints = 2;
  static bool constrains(const double* c) { return c[1] >= c[0]; }
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    const T j = volume_constraint(z, gradient + 9), shape = min(c[1], 2.0 * c[0]), ratio = shape / c[0];
    const GreenInvariants<T> e = green_invariants(z);
    // (I_C - 3) - 2 (J - 1) = 2 tr E - 2 (J^2 - 1)/(J + 1) without its cancellation.
    const T sum = max(j + 1.0, constant<T>(1)), small = e.volume() / sum;
    const auto upright = j > 0.5;
    const T change = select(upright, small, j - 1.0);
    const T first = select(upright, 2.0 * (e.first * small - 4.0 * e.second - 8.0 * e.third) / sum,
                           2.0 * e.first - 2.0 * change);
    for (int i = 0; i < 9; ++i) gradient[i] = fma(ratio * change - 1.0, gradient[9 + i], z[i]);
    value[0] = root_constraint(fma(ratio, change * change, first), gradient);
    value[1] = change;
    stiffness[0] = c[0], stiffness[1] = c[1] - shape;
  }
};

}  // namespace

MaterialPlugin material_simplified_neo_hookean() {
  return valanis_landel<SimplifiedNeoHookean>("simplified_neo_hookean",
                                              "Neo-Hookean without a logarithm (Macklin and Mueller 2021). lambda "
                                              "is corrected so that young and poisson hold at rest.");
}

}  // namespace resilin
