// Neo-Hookean solid: psi = mu/2 (I_C - 3) - mu L + lambda/2 L^2 with L = ln J. Below J0 the logarithm is continued
// quadratically (extended_log.h, X10), so that flat and inverted elements recover.
#include <cmath>

#include "potentials/materials/extended_log.h"
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct NeoHookean {
  static constexpr int coefficients = 4;  // mu, lambda, J0, ln J0

  static Params params() { return lame_params().add({extension_param()}); }
  static void prepare(const Settings& s, int element, double* c) {
    const Lame l = lame(s, element);
    c[0] = l.mu, c[1] = l.lambda, c[2] = s.number("j0", element), c[3] = std::log(c[2]);
  }

  template <Real T>
  Jet<T> a(T x, const T* c) const {
    return {0.5 * c[0] * (x * x - 1.0), c[0] * x, c[0]};
  }
  template <Real T>
  Jet<T> c(T j, const T* c) const {
    return logarithmic_volume(j, c[0], c[1], c[2], c[3]);
  }
  template <Real T>
  T invariants(const T z[9], const T* c, T p[9]) const {
    T cof[9];
    cofactor(z, cof);
    const T j = dot3(z[0], z[1], z[2], cof[0], cof[1], cof[2]);
    const Jet<T> volume = this->c(j, c);
    for (int i = 0; i < 9; ++i) p[i] = c[0] * z[i] + volume.d * cof[i];
    return 0.5 * c[0] * (squared_norm(z) - 3.0) + volume.f;
  }
};

}  // namespace

MaterialPlugin material_neo_hookean() {
  return valanis_landel<NeoHookean>(
      "neo_hookean", "Rubber-like solid: mu/2 (I_C - 3) - mu ln J + lambda/2 (ln J)^2, extended below J0.");
}

}  // namespace resilin
