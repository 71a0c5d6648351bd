// Linear corotated solid: psi = mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2, linear elasticity without the
// rotation. With signed stretches it is defined for inverted elements as it stands (X10). Valanis-Landel form: X45.
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct Corotated {
  static constexpr int coefficients = 2;  // mu, lambda

  static Params params() { return lame_params(); }
  static void prepare(const Settings& s, int element, double* c) {
    const Lame l = lame(s, element);
    c[0] = l.mu, c[1] = l.lambda;
  }

  // The constants are chosen so that a(1) = b(1) = 0: less is lost where the parts cancel near rest.
  template <Real T>
  Jet<T> a(T x, const T* c) const {
    const T e = x - 1.0;
    return {(c[0] * e + 0.5 * c[1] * (x - 5.0)) * e, 2.0 * c[0] * e + c[1] * (x - 3.0), 2.0 * c[0] + c[1]};
  }
  template <Real T>
  Jet<T> b(T x, const T* c) const {
    return {c[1] * (x - 1.0), c[1], constant<T>(0)};
  }
};

}  // namespace

MaterialPlugin material_corotated() {
  return valanis_landel<Corotated>(
      "corotated",
      "Linear elasticity without the rotation: mu sum (s - 1)^2 + lambda/2 (sum s - 3)^2. Takes any inversion.");
}

}  // namespace resilin
