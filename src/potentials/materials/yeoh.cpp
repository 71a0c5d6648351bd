// Yeoh rubber (Yeoh 1990; Yeoh 1993): W = c10 x + c20 x^2 + c30 x^3, x = I1 - 3 when incompressible (rubber.h). mu
// = 2 c10.
#include "potentials/materials/rubber.h"

namespace resilin {
namespace {

struct Yeoh {
  static constexpr int coefficients = 3;  // c10, c20, c30

  static Params params() {
    return {field("c10", "Pa", 1.8e4, positive(), "factor of I1 - 3; mu = 2 c10"),
            field("c20", "Pa", 1e3, any_number(), "factor of (I1 - 3)^2; if negative, c20^2 < 3 c10 c30"),
            field("c30", "Pa", 100, at_least(0), "factor of (I1 - 3)^3")};
  }
  static double prepare(const Settings& s, int element, double* c) {
    c[0] = s.number("c10", element), c[1] = s.number("c20", element), c[2] = s.number("c30", element);
    if (c[1] < 0 && c[1] * c[1] >= 3 * c[0] * c[2])  // W' would have a root
      s.value("c20").fail("c20^2 must be below 3 c10 c30 where c20 is negative, or the energy falls with strain");
    return 2 * c[0];
  }

  template <Real T>
  static Jet<T> w(T x, const T* c) {
    return power_series<3>(x, c);
  }
};

}  // namespace

MaterialPlugin material_yeoh() {
  return invariants<Rubber<Yeoh>>(
      "yeoh",
      "Rubber that stiffens with strain (Yeoh 1990): c10 x + c20 x^2 + c30 x^3 + lambda/2 (ln J)^2 with x = I1 - 3 "
      "- 2 ln J. Below j0 a polynomial replaces ln J.");
}

}  // namespace resilin
