// Linear corotated solid: psi = mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2, linear elasticity without the
// rotation. With signed stretches it is defined for inverted elements as it stands (X10). Valanis-Landel form: X45.
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct Corotated : LameCoefficients {
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
  // sum s - 3 = tr(r^T (z - r)): nothing cancels near rest.
  template <Real T>
  T corotated(const T z[9], const T r[9], const T* c, T p[9]) const {
    T e[9], squares = constant<T>(0), stretch = constant<T>(0);
    for (int i = 0; i < 9; ++i) {
      e[i] = z[i] - r[i];
      squares = fma(e[i], e[i], squares);
      stretch = fma(e[i], r[i], stretch);
    }
    const T shear = 2.0 * c[0], pressure = c[1] * stretch;
    for (int i = 0; i < 9; ++i) p[i] = fma(shear, e[i], pressure * r[i]);
    return fma(c[0], squares, 0.5 * pressure * stretch);
  }

  // |F - R| and tr(R^T F) - 3, the sum of the stretches less three.
  static constexpr int rows = 3, constraints = 2;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    value[0] = strain_constraint(z, gradient + 9, gradient);
    value[1] = inner(z, gradient + 9) - 3.0;
    stiffness[0] = 2.0 * c[0], stiffness[1] = c[1];
  }
};

}  // namespace

MaterialPlugin material_corotated() {
  return valanis_landel<Corotated>("corotated",
                                   "Linear elasticity in the rotated frame of each element: mu sum (s - 1)^2 + "
                                   "lambda/2 (sum s - 3)^2. Inverted elements recover.");
}

}  // namespace resilin
