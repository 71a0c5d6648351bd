// Gent rubber (Gent 1996): W = -mu jm/2 ln(1 - x/jm), x = I1 - 3 when incompressible (rubber.h). Chains are
// stretched out at x = jm. From 0.95 jm on the logarithm is continued quadratically (extended_log.h): beyond the
// limit the solid is very stiff.
#include "potentials/materials/rubber.h"

namespace resilin {
namespace {

struct Gent {
  static constexpr int coefficients = 2;  // mu, jm
  static constexpr double rest_of_limit = 0.05, log_rest = -2.995732273553991;

  static Params params() {
    return {
        field("mu", "Pa", 3.6e4, positive(), "shear modulus at rest"),
        field("jm", "", 30, positive(), "value of I1 - 3 at which the chains of the rubber are fully extended")};
  }
  static double prepare(const Settings& s, int element, double* c) {
    c[1] = s.number("jm", element);
    return c[0] = s.number("mu", element);
  }

  template <Real T>
  static Jet<T> w(T x, const T* c) {
    const Jet<T> l = extended_log(1.0 - x / c[1], constant<T>(rest_of_limit), constant<T>(log_rest));
    return {-0.5 * c[0] * c[1] * l.f, 0.5 * c[0] * l.d, -0.5 * c[0] / c[1] * l.dd};
  }
};

}  // namespace

MaterialPlugin material_gent() {
  return invariants<Rubber<Gent>>(
      "gent",
      "Rubber that locks at a largest extension (Gent 1996): -mu jm/2 ln(1 - x/jm) + lambda/2 (ln J)^2 with x = I1 "
      "- 3 - 2 ln J. Both logarithms are continued by polynomials, below j0 and beyond 0.95 jm.");
}

}  // namespace resilin
