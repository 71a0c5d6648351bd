// The Valanis-Landel form psi = sum a(s_i) + sum b(s_i s_j) + c(J) as an isotropic energy (isotropic.h). In place
// of `stretches` a Formula has
//   template <Real T> Jet<T> a(T x, const T* c) const;       likewise b and c, which may be absent
#pragma once
#include "potentials/isotropic.h"

namespace resilin {

template <class F>
concept HasB = requires(const F& f, double x, const double* c) {
  f.b(x, c);
};
template <class F>
concept HasC = requires(const F& f, double x, const double* c) {
  f.c(x, c);
};

template <class F>
struct ValanisLandel : F {
  template <Real T>
  RESILIN_INLINE StretchJet<T> stretches(const T s[3], const T* c) const {
    StretchJet<T> out = zero_jet<T>();
    for (int i = 0; i < 3; ++i) {
      const Jet<T> a = this->a(s[i], c);
      out.psi += a.f, out.d[i] += a.d, out.h[i] += a.dd;
    }
    if constexpr (HasB<F>) {
      for (int k = 0; k < 3; ++k) {  // the pair without stretch k
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const Jet<T> b = this->b(s[i] * s[j], c);
        out.psi += b.f;
        out.d[i] += b.d * s[j], out.d[j] += b.d * s[i];
        out.h[i] += b.dd * s[j] * s[j], out.h[j] += b.dd * s[i] * s[i];
        out.h[3 + k] += b.d + b.dd * s[i] * s[j];
      }
    }
    if constexpr (HasC<F>) {
      const T g[3] = {s[1] * s[2], s[0] * s[2], s[0] * s[1]};
      const Jet<T> jet = this->c(s[0] * g[0], c);
      out.psi += jet.f;
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out.d[k] += jet.d * g[k];
        out.h[k] += jet.dd * g[k] * g[k];
        out.h[3 + k] += jet.d * s[k] + jet.dd * g[i] * g[j];
      }
    }
    return out;
  }
};

/// The plugin of a formula.
template <class F>
MaterialPlugin valanis_landel(std::string name, std::string doc) {
  MaterialPlugin plugin = isotropic<ValanisLandel<F>>(std::move(name), std::move(doc));
  plugin.functions = [](const Settings& settings) {
    const OneElement<ValanisLandel<F>> one(settings);
    ValanisLandelFunctions out;
    out.a = [one](double x) { return one.formula.a(x, one.c.data()); };
    out.b = [](double) { return Jet<double>{0, 0, 0}; };
    out.c = [](double) { return Jet<double>{0, 0, 0}; };
    if constexpr (HasB<F>) out.b = [one](double x) { return one.formula.b(x, one.c.data()); };
    if constexpr (HasC<F>) out.c = [one](double x) { return one.formula.c(x, one.c.data()); };
    return out;
  };
  return plugin;
}

}  // namespace resilin
