// Strain energy of projective dynamics, as rigid as possible: psi = k/2 sum (s_i - 1)^2 = k/2 |F - R|^2 with R the
// nearest rotation, also for inverted elements (X43). k = 2 mu of a corotated solid with lambda = 0 (X1).
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct Arap {
  static constexpr int coefficients = 1;  // k
  static constexpr bool projects = true;

  static Params params() { return {field("stiffness", "Pa", 1e5, positive(), "k = 2 mu: stress over strain")}; }
  static void prepare(const Settings& s, int element, double* c) { c[0] = s.number("stiffness", element); }

  template <Real T>
  Jet<T> a(T x, const T* c) const {
    const T e = x - 1.0;
    return {0.5 * c[0] * e * e, c[0] * e, c[0]};
  }
  /// The stretch nearest to x that costs nothing.
  template <Real T>
  T nearest(T, const T*) const {
    return constant<T>(1);
  }
  template <Real T>
  T corotated(const T z[9], const T r[9], const T* c, T p[9]) const {
    T squares = constant<T>(0);
    for (int i = 0; i < 9; ++i) {
      const T e = z[i] - r[i];
      squares = fma(e, e, squares);
      p[i] = c[0] * e;
    }
    return 0.5 * c[0] * squares;
  }

  static constexpr int rows = 3, constraints = 1;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    T rotation[9];
    value[0] = strain_constraint(z, rotation, gradient);
    stiffness[0] = c[0];
  }
};

}  // namespace

MaterialPlugin material_arap() {
  return valanis_landel<Arap>(
      "arap",
      "Strain energy of projective dynamics: k/2 sum (s - 1)^2. It has no volume term. Inverted elements recover.");
}

}  // namespace resilin
