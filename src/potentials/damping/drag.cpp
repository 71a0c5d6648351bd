// Drag of still air on every vertex, R = c/2 |v|^2, the force -c v; with power 2 the force grows with the square of
// the speed. It slows falling and flying: momentum is not conserved, by intention.
#include "potentials/damping/damping.h"

namespace resilin {
namespace {

struct Drag {
  static constexpr int rows = 1, coefficients = 1;
  static constexpr bool radial = true;

  static Params params() {
    return {field("coefficient", "N s/m", 0.01, at_least(0), "coefficient c of each vertex")};
  }
  static void prepare(const Settings& s, int element, double* c) { c[0] = s.number("coefficient", element); }
  static double viscosity(const double* c) { return c[0]; }

  template <Real T>
  static T rate(const T*, const T* v, const T* c, T* by_x, T* by_rate) {
    for (int i = 0; i < 3; ++i) by_x[i] = constant<T>(0), by_rate[i] = c[0] * v[i];
    return 0.5 * c[0] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
};

}  // namespace

DampingPlugin damping_drag() {
  return formula_damping<Drag>("Drag of still air on every vertex: a force proportional to its velocity.",
                               Damps::vertices);
}

}  // namespace resilin
