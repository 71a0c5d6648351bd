// A dashpot along every spring, R = c/2 (n . z')^2 with n = z/|z|: it resists changes of length and nothing else.
//
//   dR/dz' = c r n,   dR/dz = c r (1 - n n^T) z' / |z|,   r = n . z'
#include "potentials/damping/damping.h"

namespace resilin {
namespace {

struct Dashpot {
  static constexpr int rows = 1, coefficients = 1;

  static Params params() { return {field("coefficient", "N s/m", 1, at_least(0), "viscosity c of each spring")}; }
  static void prepare(const Settings& s, int element, double* c) { c[0] = s.number("coefficient", element); }
  static double viscosity(const double* c) { return c[0]; }

  template <Real T>
  static T rate(const T* z, const T* w, const T* c, T* by_z, T* by_rate) {
    constexpr double tiny = 1e-150;  // a spring of zero length has no direction and no force
    const T length = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
    const T inverse = select(length > tiny, 1.0 / max(length, tiny), constant<T>(0));
    const T n[3] = {z[0] * inverse, z[1] * inverse, z[2] * inverse};
    const T r = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    for (int i = 0; i < 3; ++i) by_rate[i] = c[0] * r * n[i], by_z[i] = c[0] * r * inverse * (w[i] - r * n[i]);
    return 0.5 * c[0] * r * r;
  }
};

}  // namespace

DampingPlugin damping_dashpot() {
  return formula_damping<Dashpot>("A dashpot along every spring of cloth and nets. It resists changes of length.",
                                  Damps::springs);
}

}  // namespace resilin
