// Compressible Mooney-Rivlin solid (X45):
//   psi = c1 (I1 - 3) + c2 (I2 - 3) + c3 (J - 1)^2 - 2 (c1 + 2 c2) L,   I1 = sum s_i^2, I2 = sum (s_i s_j)^2,
// with L = ln J, continued quadratically below J0 (extended_log.h). At rest mu = 2 (c1 + c2), lambda = 4 c2 + 2 c3.
#include <cmath>

#include "potentials/materials/extended_log.h"
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct MooneyRivlin {
  static constexpr int coefficients = 5;  // c1, c2, c3, J0, ln J0

  static Params params() {
    return {field("c1", "Pa", 1.6e4, positive(), "factor of I1 - 3; mu = 2 (c1 + c2)"),
            field("c2", "Pa", 2e3, at_least(0), "factor of I2 - 3"),
            field("c3", "Pa", 6.7e4, at_least(0), "factor of (J - 1)^2; lambda = 4 c2 + 2 c3"), extension_param()};
  }
  static void prepare(const Settings& s, int element, double* c) {
    c[0] = s.number("c1", element), c[1] = s.number("c2", element), c[2] = s.number("c3", element);
    c[3] = s.number("j0", element), c[4] = std::log(c[3]);
  }

  template <Real T>
  Jet<T> a(T x, const T* c) const {
    return {c[0] * (x * x - 1.0), 2.0 * c[0] * x, 2.0 * c[0]};
  }
  template <Real T>
  Jet<T> b(T x, const T* c) const {
    return {c[1] * (x * x - 1.0), 2.0 * c[1] * x, 2.0 * c[1]};
  }
  template <Real T>
  Jet<T> c(T j, const T* c) const {
    const Jet<T> l = extended_log(j, c[3], c[4]);
    const T factor = 2.0 * (c[0] + 2.0 * c[1]), e = j - 1.0;
    return {c[2] * e * e - factor * l.f, 2.0 * c[2] * e - factor * l.d, 2.0 * c[2] - factor * l.dd};
  }

  // dI2/dz = 2 (I1 z - z z^T z): from I2 = (tr^2 C - tr C^2)/2.
  template <Real T>
  T invariants(const T z[9], const T* c, T p[9]) const {
    T cof[9], gram[9], cubic[9];
    cofactor(z, cof);
    multiply_nt(z, z, gram);
    multiply(gram, z, cubic);
    const T i1 = trace(gram), i2 = squared_norm(cof);
    const Jet<T> volume = this->c(dot3(z[0], z[1], z[2], cof[0], cof[1], cof[2]), c);
    const T linear = 2.0 * (c[0] + c[1] * i1);
    for (int i = 0; i < 9; ++i) p[i] = linear * z[i] - 2.0 * c[1] * cubic[i] + volume.d * cof[i];
    return c[0] * (i1 - 3.0) + c[1] * (i2 - 3.0) + volume.f;
  }
};

}  // namespace

MaterialPlugin material_mooney_rivlin() {
  return valanis_landel<MooneyRivlin>("mooney_rivlin",
                                      "Compressible Mooney-Rivlin rubber: c1 (I1 - 3) + c2 (I2 - 3) + c3 (J - 1)^2 "
                                      "- 2 (c1 + 2 c2) ln J. Below j0 a polynomial replaces ln J.");
}

}  // namespace resilin
