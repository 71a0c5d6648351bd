// What kept areas and kept volumes share: psi = k/2 (measure over that at rest - target)^2.
#pragma once
#include <array>
#include <memory>
#include <utility>

#include "model/coefficients.h"
#include "potentials/added/added.h"

namespace resilin {

/// P: the Potential, made from its name, k and target of each element, and its fit (isotropic.h).
template <class P>
PotentialPlugin kept_measure(const char* name, ElementKind on, std::string doc, const char* target,
                             const std::string& stress) {
  PotentialPlugin plugin;
  plugin.doc = std::move(doc);
  plugin.params = {
      field("target", "", 1, positive(), target),
      optional(field("stiffness", "Pa", 0, positive(), stress + "; default: 10 times the material's stiffness"))};
  plugin.on = {on};
  plugin.make = [name](const PotentialSource& source) -> std::shared_ptr<const Potential> {
    Coefficients all(2), fit(3);
    for (int i = 0; i < source.elements.size(); ++i) {
      const double k = source.stiffness(i, 10);
      all.add(std::array{k, source.settings.number("target", source.index(i))});
      fit.add(std::array{k, 0.5, 2.0});
    }
    return std::make_shared<P>(name, all, fit);
  };
  return plugin;
}

}  // namespace resilin
