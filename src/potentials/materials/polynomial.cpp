// Polynomial solid of Liu et al.: psi = mu sum (s_i - 1)^4. No stiffness at all at rest, a steep rise beyond: next
// to the strain energy with the same fit k = 0.6 mu it is softer for |s - 1| < 0.387 and stiffer above (E23).
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct Polynomial {
  static constexpr int coefficients = 1;  // mu

  static Params params() { return {field("mu", "Pa", 1e5, positive(), "factor of (s - 1)^4")}; }
  static void prepare(const Settings& s, int element, double* c) { c[0] = s.number("mu", element); }

  template <Real T>
  Jet<T> a(T x, const T* c) const {
    const T e = x - 1.0, ee = e * e;
    return {c[0] * ee * ee, 4.0 * c[0] * ee * e, 12.0 * c[0] * ee};
  }
};

}  // namespace

MaterialPlugin material_polynomial() {
  return valanis_landel<Polynomial>("polynomial",
                                    "Quartic energy mu sum (s - 1)^4 (Liu et al. 2017): no stiffness at rest, "
                                    "stiff when strained, no volume term. Inverted elements recover.");
}

}  // namespace resilin
