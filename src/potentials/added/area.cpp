// Kept areas: psi = k/2 (s1 s2 - target)^2 on every triangle, s1 s2 its area over that at rest. As volume.cpp on
// tets, and for the same reasons: the target is an edit without a new factor, and the energy is the square of a
// constraint in place of a distance.
#include "potentials/added/kept_measure.h"
#include "potentials/isotropic.h"

namespace resilin {
namespace {

struct Area {
  static constexpr int coefficients = 2;  // k, target

  // It does not depend on the third stretch, so the membrane has it as it is.
  template <Real T>
  StretchJet<T> stretches(const T s[3], const T* c) const {
    StretchJet<T> out = zero_jet<T>();
    const T e = s[0] * s[1] - c[1];
    out.psi = 0.5 * c[0] * e * e;
    out.d[0] = c[0] * e * s[1], out.d[1] = c[0] * e * s[0];
    out.h[0] = c[0] * s[1] * s[1], out.h[1] = c[0] * s[0] * s[0];
    out.h[5] = c[0] * (e + s[0] * s[1]);
    return out;
  }

  // |a x b| of the rows a and b of z; its gradient is (b x n, n x a) with the normal n, zero for a triangle without
  // one.
  static constexpr int rows = 2, constraints = 1;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    T across[3], n[3];
    cross(z, z + 3, across);
    value[0] = length_constraint<3>(across, n) - c[1];
    cross(z + 3, n, gradient), cross(n, z, gradient + 3);
    stiffness[0] = c[0];
  }
};

}  // namespace

PotentialPlugin potential_area() {
  return kept_measure<Membrane<Area>>(
      "area", ElementKind::triangle,
      "Kept area of every triangle: stiffness/2 (area/rest area - target)^2. Edit the target and the sheet grows "
      "or shrinks.",
      "area over that at rest", "stress over relative change of area");
}

}  // namespace resilin
