// Eight-chain rubber (Arruda and Boyce 1993), the first five terms of its series:
//   W = n sum a_i/locking^(2i-2) (I^i - 3^i),   I = 3 + x,   a = 1/2, 1/20, 11/1050, 19/7000, 519/673750,
// with I = I1 when incompressible (rubber.h). n is such that mu = 2 W'(0).
#include "potentials/materials/rubber.h"

namespace resilin {
namespace {

struct ArrudaBoyce {
  static constexpr int coefficients = 5;  // of x, x^2, ...

  static Params params() {
    return {field("mu", "Pa", 3.6e4, positive(), "shear modulus at rest"),
            field("locking", "", 3, {1, 20, true, false},
                  "stretch at which the chains of the rubber are fully extended")};
  }
  static double prepare(const Settings& s, int element, double* c) {
    const double mu = s.number("mu", element), locking = s.number("locking", element);
    double a[6] = {0, 1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
    for (int i = 1; i < 6; ++i) a[i] /= std::pow(locking, 2 * i - 2);
    for (int k = 0; k < 5; ++k)  // powers of I to powers of x = I - 3
      for (int i = 4; i >= k; --i) a[i] += 3 * a[i + 1];
    for (int i = 0; i < 5; ++i) c[i] = 0.5 * mu * a[i + 1] / a[1];
    return mu;
  }

  template <Real T>
  static Jet<T> w(T x, const T* c) {
    return power_series<5>(x, c);
  }
};

}  // namespace

MaterialPlugin material_arruda_boyce() {
  return invariants<Rubber<ArrudaBoyce>>("arruda_boyce",
                                         "Eight-chain model of rubber (Arruda and Boyce 1993, five terms of the "
                                         "series) + lambda/2 (ln J)^2. Stiffens towards the locking stretch.");
}

}  // namespace resilin
