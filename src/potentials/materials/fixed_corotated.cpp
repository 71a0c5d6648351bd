// Fixed corotated solid (Stomakhin et al. 2012): psi = mu sum (s_i - 1)^2 + lambda/2 (J - 1)^2. Like the linear
// corotated one near rest, but it resists the true change of volume. Defined for inverted elements.
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct FixedCorotated : LameCoefficients {
  template <Real T>
  Jet<T> a(T x, const T* c) const {
    const T e = x - 1.0;
    return {c[0] * e * e, 2.0 * c[0] * e, 2.0 * c[0]};
  }
  template <Real T>
  Jet<T> c(T j, const T* c) const {
    const T e = j - 1.0;
    return {0.5 * c[1] * e * e, c[1] * e, c[1]};
  }
  template <Real T>
  T corotated(const T z[9], const T r[9], const T* c, T p[9]) const {
    T cofactors[9], squares = constant<T>(0);
    cofactor(z, cofactors);
    const T volume = dot3(z[0], z[1], z[2], cofactors[0], cofactors[1], cofactors[2]) - 1.0;
    const T shear = 2.0 * c[0], pressure = c[1] * volume;
    for (int i = 0; i < 9; ++i) {
      const T e = z[i] - r[i];
      squares = fma(e, e, squares);
      p[i] = fma(shear, e, pressure * cofactors[i]);
    }
    return fma(c[0], squares, 0.5 * pressure * volume);
  }

  // |F - R| and J - 1.
  static constexpr int rows = 3, constraints = 2;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    T rotation[9];
    value[0] = strain_constraint(z, rotation, gradient);
    value[1] = volume_constraint(z, gradient + 9) - 1.0;
    stiffness[0] = 2.0 * c[0], stiffness[1] = c[1];
  }
};

}  // namespace

MaterialPlugin material_fixed_corotated() {
  return valanis_landel<FixedCorotated>(
      "fixed_corotated",
      "Corotated with an exact volume term: mu sum (s - 1)^2 + lambda/2 (J - 1)^2. Inverted elements recover.");
}

}  // namespace resilin
