// Kept volumes: psi = k/2 (det F - target)^2 on every tet. The target is a parameter like others, so a body swells
// and shrinks while it runs; it does not stand in the constant Hessian, so a new one costs no factorisation.
//
// The square of det F - target, and not of the distance to the set det F = target (Bouaziz et al. 2014): that has a
// ridge where all stretches are twice those of the target, and its projection is an iteration. This one is smooth
// everywhere and a constraint to XPBD; it is no energy of projective dynamics.
#include "potentials/added/kept_measure.h"
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

struct Volume {
  static constexpr int coefficients = 2;  // k, target

  template <Real T>
  Jet<T> a(T, const T*) const {
    return {constant<T>(0), constant<T>(0), constant<T>(0)};
  }
  template <Real T>
  Jet<T> c(T j, const T* c) const {
    const T e = j - c[1];
    return {0.5 * c[0] * e * e, c[0] * e, c[0]};
  }
  template <Real T>
  T invariants(const T z[9], const T* c, T p[9]) const {
    const Jet<T> jet = this->c(volume_constraint(z, p), c);
    for (int i = 0; i < 9; ++i) p[i] = jet.d * p[i];
    return jet.f;
  }

  static constexpr int rows = 3, constraints = 1;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    value[0] = volume_constraint(z, gradient) - c[1];
    stiffness[0] = c[0];
  }
};

}  // namespace

PotentialPlugin potential_volume() {
  return kept_measure<Isotropic<ValanisLandel<Volume>>>(
      "volume", ElementKind::tet,
      "Kept volume of every tet: stiffness/2 (det F - target)^2. Edit the target and the body swells or shrinks.",
      "volume over that at rest", "pressure over relative change of volume");
}

}  // namespace resilin
