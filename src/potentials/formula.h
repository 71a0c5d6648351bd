// What the adaptors of isotropic formulas share (isotropic.h on tets, membrane.h on triangles).
#pragma once
#include <span>

#include "core/stamp.h"
#include "model/coefficients.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "simd/pack.h"

namespace resilin {

template <class F>
concept Projects = F::projects;
template <class F>
concept Shares = requires(F& f, const Settings& settings) {
  f.share(settings);
};

template <Real T>
RESILIN_INLINE StretchJet<T> zero_jet() {
  const T zero = constant<T>(0);
  return {zero, {zero, zero, zero}, {zero, zero, zero, zero, zero, zero}};
}

/// each(settings, coefficients, changed) for every element; `changed`: they may differ from those of the element
/// before.
template <class F, class Each>
void prepare_formula(F& formula, std::span<const ElementSettings> elements, Each&& each) {
  double c[F::coefficients];
  const Settings* last = nullptr;
  for (const auto& [settings, index] : elements) {
    const bool changed = settings != last || settings->element_count() > 0;
    if constexpr (Shares<F>)
      if (settings != last) formula.share(*settings);
    if (changed) formula.prepare(*settings, index, c);
    each(*settings, c, changed);
    last = settings;
  }
}

}  // namespace resilin
