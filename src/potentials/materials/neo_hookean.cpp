// Neo-Hookean solid: psi = mu/2 (I_C - 3) - mu L + lambda/2 L^2 with L = ln J. Below J0 the logarithm is continued
// quadratically (extended_log.h, X10), so that flat and inverted elements recover.
#include <cmath>

#include "potentials/materials/extended_log.h"
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct NeoHookean {
  static constexpr int coefficients = 4;  // mu, lambda, J0, ln J0

  static Params params() { return lame_params().add({extension_param()}); }
  static void prepare(const Settings& s, int element, double* c) {
    const Lame l = lame(s, element);
    c[0] = l.mu, c[1] = l.lambda, c[2] = s.number("j0", element), c[3] = std::log(c[2]);
  }

  template <Real T>
  Jet<T> a(T x, const T* c) const {
    return {0.5 * c[0] * (x * x - 1.0), c[0] * x, c[0]};
  }
  template <Real T>
  Jet<T> c(T j, const T* c) const {
    return logarithmic_volume(j, c[0], c[1], c[2], c[3]);
  }
  template <Real T>
  T invariants(const T z[9], const T* c, T p[9]) const {
    T cof[9];
    cofactor(z, cof);
    const T j = dot3(z[0], z[1], z[2], cof[0], cof[1], cof[2]);
    const Jet<T> volume = this->c(j, c);
    for (int i = 0; i < 9; ++i) p[i] = c[0] * z[i] + volume.d * cof[i];
    return 0.5 * c[0] * (squared_norm(z) - 3.0) + volume.f;
  }

  // Shape and volume, both zero at rest: c_0^2 = I_C - 3 - 2 L, k = mu; c_1 = L, k = lambda. c_0^2 >= 0 as
  // I_C >= 3 J^(2/3). See simplified_neo_hookean.cpp for why not |F|.
  static constexpr int rows = 3, constraints = 2;
  static bool constrains(const double* c) { return c[1] >= 0; }
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    const Jet<T> l = extended_log(volume_constraint(z, gradient + 9), c[2], c[3]);
    const GreenInvariants<T> e = green_invariants(z);
    // Near rest 2 tr E - ln(1 + x) with x = J^2 - 1 cancels: x - ln(1 + x) = x y - 2 (y^3/3 + y^5/5 + ...), y =
    // x/(2 + x).
    const T x = e.volume();
    const auto near = (abs(x) < 0.2) & (l.f > -1.0);
    const T y = select(near, x / (2.0 + x), constant<T>(0)), y2 = y * y;
    T series = constant<T>(1.0 / 17);
    for (int n = 15; n >= 3; n -= 2) series = fma(series, y2, constant<T>(1.0 / n));
    const T log_near = 2.0 * y * fma(series, y2, constant<T>(1));
    const T cancelled = x * y - 2.0 * y * y2 * series - 4.0 * e.second - 8.0 * e.third;
    for (int i = 0; i < 9; ++i) gradient[9 + i] *= l.d;
    for (int i = 0; i < 9; ++i) gradient[i] = z[i] - gradient[9 + i];
    value[0] = root_constraint(select(near, cancelled, 2.0 * e.first - 2.0 * l.f), gradient);
    value[1] = select(near, 0.5 * log_near, l.f);
    stiffness[0] = c[0], stiffness[1] = c[1];
  }
};

}  // namespace

MaterialPlugin material_neo_hookean() {
  return valanis_landel<NeoHookean>("neo_hookean",
                                    "Rubber-like solid: mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2. Below j0 a "
                                    "polynomial replaces ln J, so that inverted elements recover.");
}

}  // namespace resilin
