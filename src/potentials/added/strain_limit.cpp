// Limits of strain: nothing while all stretches are within [low, high], and a stiff spring beyond,
//
//   psi = k/2 sum (s_i - clamp(s_i, low, high))^2
//
// the energy of projective dynamics whose projection clamps the singular values (Bouaziz et al. 2014). One function
// for all solvers: a projection to projective dynamics and ADMM, a stiff spline to gradient methods. On triangles
// it limits the two stretches of the sheet.
#include <fmt/format.h>

#include "potentials/added/added.h"
#include "potentials/valanis_landel.h"

namespace resilin {
namespace {

constexpr double stiffer = 100;  // than the material, unless the stiffness is stated

struct StrainLimit {
  static constexpr int coefficients = 3;  // k, low, high
  static constexpr bool projects = true;

  template <Real T>
  T nearest(T x, const T* c) const {
    return min(max(x, c[1]), c[2]);
  }
  template <Real T>
  Jet<T> a(T x, const T* c) const {
    const T e = x - nearest(x, c);
    return {0.5 * c[0] * e * e, c[0] * e, select(abs(e) > 0.0, c[0], constant<T>(0))};
  }
};

}  // namespace

PotentialPlugin potential_strain_limit() {
  PotentialPlugin plugin;
  plugin.doc =
      "Limits of strain: no energy while all stretches are within [low, high], a stiff spring beyond. A projection "
      "to projective dynamics and ADMM.";
  plugin.params = {field("low", "", 0.9, at_least(0), "smallest stretch that costs nothing"),
                   field("high", "", 1.1, positive(), "largest stretch that costs nothing"),
                   optional(field("stiffness", "Pa", 0, positive(),
                                  "stress over strain beyond the limits; default: 100 times the material's"))};
  plugin.on = {ElementKind::tet, ElementKind::triangle};
  plugin.make = [](const PotentialSource& source) -> std::shared_ptr<const Potential> {
    const Settings& s = source.settings;
    Coefficients all(3), fit(3);
    for (int i = 0; i < source.elements.size(); ++i) {
      const int at = source.index(i);
      const double low = s.number("low", at), high = s.number("high", at);
      if (!(low <= high)) s.value("low").fail(fmt::format("{} is above high = {}", low, high));
      const double k = source.stiffness(i, stiffer);
      all.add(std::array{k, low, high});
      fit.add(std::array{k, low / 2, 2 * high});
    }
    if (source.elements.kind() == ElementKind::tet)
      return std::make_shared<Isotropic<ValanisLandel<StrainLimit>>>("strain_limit", std::move(all),
                                                                     std::move(fit));
    return std::make_shared<Membrane<ValanisLandel<StrainLimit>>>("strain_limit", all, fit);
  };
  return plugin;
}

}  // namespace resilin
