// The adaptor from formulas of an isotropic solid (isotropic.h) to a Potential on triangles. Plane stress: the
// stretch t across the sheet is condensed, so every material has its membrane,
//
//   psi(s1, s2) = min_t psi(s1, s2, t),   psi_i = psi_i(s, t),   psi_ij = psi_ij - psi_i3 psi_j3 / psi_33
//
// t is found by Newton's method in every lane, from its value in the linear theory. Energies that do not depend on
// t keep it.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "potentials/compliant.h"
#include "potentials/formula.h"
#include "simd/svd2.h"

namespace resilin {

/// psi(s1, s2) with two derivatives.
template <class T>
struct MembraneJet {
  T psi, d[2], h[3];  // h: 00 11 01
};

constexpr int most_thickness_steps = 40;

/// `rate`: dt/ds of the linear theory.
template <class F, Real T>
RESILIN_INLINE MembraneJet<T> condense(const F& formula, const T s[2], const T* c, T rate) {
  const T one = constant<T>(1), zero = constant<T>(0);
  const T slope = rate * (s[0] + s[1] - 2.0);
  T full[3] = {s[0], s[1], select(slope > 0.0, 1.0 + slope, 1.0 / (1.0 - slope))};
  StretchJet<T> jet = formula.stretches(full, c);
  for (int i = 0; i < most_thickness_steps; ++i) {
    // Where psi is not convex in t the step goes downhill; t stays positive and changes by at most half of itself.
    const T stiffness = max(abs(jet.h[2]), 1e-300), step = -jet.d[2] / stiffness;
    const T limited = min(max(step, -0.5 * full[2]), 0.5 * full[2] + 0.5);
    const auto moves = abs(limited) > 1e-15 * full[2];
    full[2] = select(moves, full[2] + limited, full[2]);
    if (!any(moves & (abs(limited) > 1e-13 * full[2]))) break;
    jet = formula.stretches(full, c);
  }
  const auto resists = jet.h[2] > 0.0;
  const T give = select(resists, one / select(resists, jet.h[2], one), zero);
  return {jet.psi,
          {jet.d[0], jet.d[1]},
          {jet.h[0] - jet.h[4] * jet.h[4] * give, jet.h[1] - jet.h[3] * jet.h[3] * give,
           jet.h[5] - jet.h[3] * jet.h[4] * give}};
}

/// dt/ds of the linear theory: -nu/(1 - nu).
template <class F>
double thickness_rate(const F& formula, const double* c) {
  const double rest[3] = {1, 1, 1};
  const StretchJet<double> jet = formula.stretches(rest, c);
  return jet.h[2] > 0 ? -jet.h[3] / jet.h[2] : 0;
}

/// The stress in an axis of the sheet that is stretched by x while the other is held.
template <class F>
double membrane_stress(const F& formula, double x, const double* c) {
  const double s[2] = {x, 1};
  return condense(formula, s, c, thickness_rate(formula, c)).d[0];
}

/// Has a constraint of its own for sheets (compliant.h).
template <class F>
concept ConstrainsSheets = Constrains<F> && F::rows == 2;

/// Coefficients of a membrane: those of the formula, then dt/ds and the k of Eq. 11 with its interval.
template <class F>
constexpr int membrane_coefficients = F::coefficients + 4;

template <class F>
struct MembraneFormula {
  static constexpr int rate = F::coefficients, k = rate + 1, low = rate + 2, high = rate + 3;
  F formula;
  template <Real T>
  RESILIN_INLINE MembraneJet<T> at(const T s[2], const T* c) const {
    return condense(formula, s, c, c[rate]);
  }

  // psi = k/2 c^2 with one constraint: the root of the energy. Energies that project have one for each stretch in
  // place of it; a formula may bring its own.
  static constexpr int rows = 2, constraints = Projects<F> ? 2 : 1;
  template <Real T>
  void constrain(const T* z, const T* c, T* value, T* gradient, T* stiffness) const {
    T u[4], s[2], v[6];
    svd2(z, u, s, v);
    const T zero = constant<T>(0);
    if constexpr (ConstrainsSheets<F>) {
      static_assert(F::constraints == 1);
      formula.constrain(z, c, value, gradient, stiffness);
    } else if constexpr (Projects<F>) {
      for (int i = 0; i < 2; ++i) {
        const T along[2] = {i == 0 ? constant<T>(1) : zero, i == 1 ? constant<T>(1) : zero};
        value[i] = s[i] - formula.nearest(s[i], c);
        compose2(u, along, v, gradient + 6 * i);
        stiffness[i] = c[k];
      }
    } else {
      const MembraneJet<T> jet = at(s, c);
      const auto some = jet.psi > 0.0;
      value[0] = sqrt(2.0 * select(some, jet.psi, zero) / c[k]);
      const T inverse = select(some, 1.0 / select(some, value[0] * c[k], constant<T>(1)), zero);
      const T slope[2] = {jet.d[0] * inverse, jet.d[1] * inverse};
      compose2(u, slope, v, gradient);
      stiffness[0] = c[k];
    }
  }
};

template <class F>
class MembraneKernel final : public Kernel {
 public:
  MembraneKernel(const F& formula, PackedCoefficients coefficients)
      : formula_{formula}, coefficients_(std::move(coefficients)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack c[count], s[2];
      load_coefficients(block.first + p, c);
      load_pack<2>(block.s, p, s);
      const MembraneJet<Pack> jet = formula_.at(s, c);
      add(block.psi, p, jet.psi);
      for (int i = 0; i < 2 && block.dpsi_s != nullptr; ++i) add(block.dpsi_s, p * 2 + i, jet.d[i]);
      for (int i = 0; i < 3 && block.d2psi_s != nullptr; ++i) add(block.d2psi_s, p * 3 + i, jet.h[i]);
    }
  }

  // As IsotropicKernel.
  void sum_stretches(const Block& block, const double* measure, StretchSums& sums) const override {
    Pack top = {}, bottom = {};
    for (int p = 0; p < block.packs; ++p) {
      Pack c[count];
      load_coefficients(block.first + p, c);
      for (int i = 0; i < 2; ++i) {
        const Pack x = min(max(load(block.s + (p * 2 + i) * lanes), c[Of::low]), c[Of::high]), e = x - 1.0;
        const Pack s[2] = {x, broadcast(1)}, weight = load(measure + p * lanes);
        top += weight * e * formula_.at(s, c).d[0];
        bottom += weight * c[Of::k] * e * e;
      }
    }
    sums.stress += sum(top);
    sums.stiffness += sum(bottom);
  }

  void project(const Block& block, double* projected) const override {
    if constexpr (Projects<F>)
      for (int p = 0; p < block.packs; ++p) {
        Pack c[count], u[4], v[6], s[2], z[6];
        load_coefficients(block.first + p, c);
        load_pack<4>(block.u, p, u);
        load_pack<6>(block.v, p, v);
        for (int i = 0; i < 2; ++i) s[i] = formula_.formula.nearest(load(block.s + (p * 2 + i) * lanes), c);
        compose2(u, s, v, z);
        store_pack<6>(z, p, projected);
      }
  }

 private:
  using Of = MembraneFormula<F>;
  static constexpr int count = membrane_coefficients<F>;
  void load_coefficients(int pack, Pack* c) const { load_pack<count>(coefficients_.pack(pack), 0, c); }

  const Of formula_;
  const PackedCoefficients coefficients_;
};

template <class F>
class Membrane final : public Potential {
 public:
  Membrane(std::string name, std::span<const ElementSettings> elements) : name_(std::move(name)) {
    std::array<double, membrane_coefficients<F>> all{};
    prepare_formula(formula_, elements, [&](const Settings& settings, const double* c, bool changed) {
      if (changed) {
        std::copy_n(c, F::coefficients, all.begin());
        all[F::coefficients] = thickness_rate(formula_, c);
        const auto fitted = fit_interval(settings, [&](double x) { return membrane_stress(formula_, x, c); });
        std::copy(fitted.begin(), fitted.end(), all.begin() + F::coefficients + 1);
      }
      coefficients_.add(all);
    });
  }

  /// As Isotropic.
  Membrane(std::string name, const Coefficients& coefficients, const Coefficients& fit) : name_(std::move(name)) {
    for (int i = 0; i < coefficients.size(); ++i) {
      const double *c = coefficients.element(i), *fitted = fit.element(i);
      std::array<double, membrane_coefficients<F>> all{};
      std::copy_n(c, F::coefficients, all.begin());
      all[F::coefficients] = thickness_rate(formula_, c);
      std::copy_n(fitted, 3, all.begin() + F::coefficients + 1);
      coefficients_.add(all);
    }
  }

  std::string name() const override { return name_; }
  ElementKind kind() const override { return ElementKind::triangle; }
  void stamp(Stamp& out) const override {
    out.add(name_);
    out.add(std::span(coefficients_.values()));
    if constexpr (Shares<F>) formula_.stamp(out);
  }
  Reads reads(int) const override { return Reads::stretches; }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<MembraneKernel<F>>(formula_, coefficients_.pack(slot_element));
  }
  void quadratic(int element, double, double* matrix) const override {
    matrix[0] = matrix[3] = coefficients_.element(element)[MembraneFormula<F>::k];
    matrix[1] = matrix[2] = 0;
  }
  bool projects() const override { return Projects<F>; }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override {
    return std::make_unique<PackedForm<MembraneFormula<F>, membrane_coefficients<F>>>(
        MembraneFormula<F>{formula_}, coefficients_.pack(slot_element));
  }

 private:
  std::string name_;
  F formula_;
  Coefficients coefficients_{membrane_coefficients<F>};
};

}  // namespace resilin
