// Kept volumes: psi = k/2 (det F - target)^2 on every tet. The target is a parameter like others, so a body swells
// and shrinks while it runs; it does not stand in the constant Hessian, so a new one costs no factorisation.
//
// The square of det F - target, and not of the distance to the set det F = target (Bouaziz et al. 2014): that has a
// ridge where all stretches are twice those of the target, and its projection is an iteration. This one is smooth
// everywhere and a constraint to XPBD; it is no energy of projective dynamics.
#include "potentials/added/added.h"
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

constexpr double stiffer = 10;  // than the material, unless the stiffness is stated

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
  PotentialPlugin plugin;
  plugin.doc =
      "Kept volume of every tet: stiffness/2 (det F - target)^2. Edit the target and the body swells or shrinks.";
  plugin.params = {
      field("target", "", 1, positive(), "volume over that at rest"),
      optional(field("stiffness", "Pa", 0, positive(),
                     "pressure over relative change of volume; default: 10 times the material's stiffness"))};
  plugin.on = {ElementKind::tet};
  plugin.make = [](const PotentialSource& source) -> std::shared_ptr<const Potential> {
    Coefficients all(2), fit(3);
    for (int i = 0; i < source.elements.size(); ++i) {
      const double k = source.stiffness(i, stiffer);
      all.add(std::array{k, source.settings.number("target", source.index(i))});
      fit.add(std::array{k, 0.5, 2.0});
    }
    return std::make_shared<Isotropic<ValanisLandel<Volume>>>("volume", std::move(all), std::move(fit));
  };
  return plugin;
}

}  // namespace resilin
