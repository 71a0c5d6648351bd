// The adaptor from formulas of an isotropic solid to a Potential. A Formula has
//   static constexpr int coefficients;                       numbers per element
//   static Params params();                                  its parameters
//   static void prepare(const Settings&, int element, double* c);   not static when it needs what elements share
//   template <Real T> StretchJet<T> stretches(const T s[3], const T* c) const;   psi(s1, s2, s3) with two
//   derivatives
//   void share(const Settings&);                             optional: what elements of the same settings share
//   (tables);
//                                                            called before prepare whenever the settings change
//   void stamp(Stamp&) const;                                with `share`: every number of what is shared
//   template <Real T> T invariants(const T z[9], const T* c, T p[9]) const;   optional: psi and dpsi/dz without an
//   SVD
//   template <Real T> T corotated(const T z[9], const T r[9], const T* c, T p[9]) const;   optional: the same with
//   the
//                                                            nearest rotation r, which is cheaper than an SVD
//   the members that compliant.h asks for                    optional: psi as a sum of squares of constraints
//   static bool constrains(const T* c);                      optional: whether these coefficients allow it
//   static constexpr bool projects;                          optional: psi = k/2 sum (s - nearest(s))^2, an energy
//   of projective dynamics
//   template <Real T> T nearest(T x, const T* c) const;      with `projects`: the stretch nearest to x that costs
//   nothing
// valanis_landel.h makes `stretches` from functions of one variable, invariants.h from a function of I1, I2 and J.
#pragma once
#include <algorithm>
#include <array>

#include "potentials/compliant.h"
#include "potentials/material.h"
#include "potentials/membrane.h"
#include "simd/mat3.h"
#include "simd/pack.h"

namespace resilin {

template <class F>
concept HasInvariants = requires(const F& f, const double* z, const double* c, double* p) {
  f.invariants(z, c, p);
};
template <class F>
concept HasCorotated = requires(const F& f, const double* z, const double* c, double* p) {
  f.corotated(z, z, c, p);
};

/// f of Eq. 10 for any isotropic energy: the stress in an axis that is stretched by x while the others are held.
template <class F, Real T>
T axial_stress(const F& formula, T x, const T* c) {
  const T s[3] = {x, constant<T>(1), constant<T>(1)};
  return formula.stretches(s, c).d[0];
}

template <class F>
class IsotropicKernel final : public Kernel {
 public:
  IsotropicKernel(const F& formula, PackedCoefficients coefficients, PackedCoefficients fit)
      : formula_(formula), coefficients_(std::move(coefficients)), fit_(std::move(fit)) {}

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack c[F::coefficients];
      load_coefficients(block.first + p, c);
      if constexpr (HasInvariants<F> || HasCorotated<F>) {
        if (block.d2psi_s == nullptr) {
          by_coordinates(block, p, c);
          continue;
        }
      }
      by_stretches(block, p, c);
    }
  }

  // Stretches beyond the interval count as its ends: crushed and inverted elements must not stiffen the whole body.
  void sum_stretches(const Block& block, const double* measure, StretchSums& sums) const override {
    Pack top = {}, bottom = {};
    for (int p = 0; p < block.packs; ++p) {
      const double* fitted = fit_.pack(block.first + p);
      Pack c[F::coefficients];
      load_coefficients(block.first + p, c);
      const Pack k = load(fitted), low = load(fitted + lanes), high = load(fitted + 2 * lanes),
                 weight = load(measure + p * lanes);
      for (int i = 0; i < 3; ++i) {
        const Pack x = min(max(load(block.s + (p * 3 + i) * lanes), low), high), e = x - 1.0;
        top += weight * e * axial_stress(formula_, x, c);
        bottom += weight * k * e * e;
      }
    }
    sums.stress += sum(top);
    sums.stiffness += sum(bottom);
  }

  // The nearest point that costs nothing, also of inverted elements (X43): k/2 |z - p|^2 is the energy itself.
  // Where the rotation is read it is that.
  void project(const Block& block, double* projected) const override {
    if constexpr (HasCorotated<F>) {
      std::copy_n(block.r, block.packs * 9 * lanes, projected);
    } else if constexpr (Projects<F>) {
      for (int p = 0; p < block.packs; ++p) {
        Pack c[F::coefficients], u[9], v[9], s[3], z[9];
        load_coefficients(block.first + p, c);
        load_pack<9>(block.u, p, u), load_pack<9>(block.v, p, v);
        for (int i = 0; i < 3; ++i) s[i] = formula_.nearest(load(block.s + (p * 3 + i) * lanes), c);
        multiply_diagonal_nt(u, s, v, z);
        store_pack<9>(z, p, projected);
      }
    }
  }

 private:
  void load_coefficients(int pack, Pack* c) const { load_pack<F::coefficients>(coefficients_.pack(pack), 0, c); }

  void by_coordinates(Block& block, int p, const Pack* c) const {
    Pack z[9], stress_z[9], psi;
    load_pack<9>(block.z, p, z);
    if constexpr (HasInvariants<F>) {
      psi = formula_.invariants(z, c, stress_z);
    } else {
      Pack r[9];
      load_pack<9>(block.r, p, r);
      psi = formula_.corotated(z, r, c, stress_z);
    }
    add(block.psi, p, psi);
    if (block.dpsi_z != nullptr)
      for (int i = 0; i < 9; ++i) add(block.dpsi_z, p * 9 + i, stress_z[i]);
  }

  void by_stretches(Block& block, int p, const Pack* c) const {
    Pack s[3];
    load_pack<3>(block.s, p, s);
    const StretchJet<Pack> jet = formula_.stretches(s, c);
    add(block.psi, p, jet.psi);
    if (block.dpsi_s != nullptr)
      for (int i = 0; i < 3; ++i) add(block.dpsi_s, p * 3 + i, jet.d[i]);
    if (block.d2psi_s != nullptr)
      for (int i = 0; i < 6; ++i) add(block.d2psi_s, p * 6 + i, jet.h[i]);
  }

  const F formula_;
  const PackedCoefficients coefficients_, fit_;
};

template <class F>
class Isotropic final : public Potential {
 public:
  Isotropic(std::string name, std::span<const ElementSettings> elements)
      : name_(std::move(name)), coefficients_(F::coefficients) {
    prepare_formula(formula_, elements, [&](const Settings& settings, const double* c, bool changed) {
      if (changed) fitted_ = fit_interval(settings, [&](double x) { return axial_stress(formula_, x, c); });
      fit_.add(fitted_);
      coefficients_.add(std::span(c, F::coefficients));
    });
  }

  /// `fit`: k of the constant Hessian and its interval (fit_interval).
  Isotropic(std::string name, Coefficients coefficients, Coefficients fit)
      : name_(std::move(name)), coefficients_(std::move(coefficients)), fit_(std::move(fit)) {}

  std::string name() const override { return name_; }
  ElementKind kind() const override { return ElementKind::tet; }
  void stamp(Stamp& out) const override {
    out.add(name_);
    out.add(std::span(coefficients_.values()));
    out.add(std::span(fit_.values()));
    if constexpr (Shares<F>) formula_.stamp(out);
  }
  Reads reads(int derivatives) const override {
    if (derivatives < 2 && HasInvariants<F>) return Reads::coordinates;
    return derivatives < 2 && HasCorotated<F> ? Reads::rotation : Reads::stretches;
  }
  std::unique_ptr<Kernel> pack(std::span<const int> slot_element) const override {
    return std::make_unique<IsotropicKernel<F>>(formula_, coefficients_.pack(slot_element),
                                                fit_.pack(slot_element));
  }
  void quadratic(int element, double, double* matrix) const override {
    for (int i = 0; i < 9; ++i) matrix[i] = i % 4 == 0 ? fit_.element(element)[0] : 0;
  }
  bool projects() const override { return Projects<F>; }
  std::unique_ptr<CompliantForm> compliant_form(std::span<const int> slot_element) const override {
    if constexpr (Constrains<F>) {
      if constexpr (requires(const double* c) { F::constrains(c); })
        for (int i = 0; i < coefficients_.size(); ++i)
          if (!F::constrains(coefficients_.element(i))) return nullptr;
      return std::make_unique<PackedForm<F, F::coefficients>>(formula_, coefficients_.pack(slot_element));
    } else {
      return nullptr;
    }
  }

 private:
  std::string name_;
  F formula_;
  Coefficients coefficients_;
  std::array<double, 3> fitted_{};
  Coefficients fit_{3};  // k, low, high
};

/// A formula with the coefficients of one element.
template <class F>
struct OneElement {
  explicit OneElement(const Settings& settings) {
    if constexpr (Shares<F>) formula.share(settings);
    formula.prepare(settings, 0, c.data());
  }
  F formula;
  std::array<double, F::coefficients> c;
};

/// The plugin of a formula.
template <class F>
MaterialPlugin isotropic(std::string name, std::string doc) {
  MaterialPlugin plugin;
  plugin.doc = std::move(doc);
  plugin.params = F::params();
  plugin.params.add(fit_params());
  plugin.make = [name](std::span<const ElementSettings> elements) {
    return std::make_shared<Isotropic<F>>(name, elements);
  };
  plugin.make_membrane = [name](std::span<const ElementSettings> elements) {
    return std::make_shared<Membrane<F>>(name, elements);
  };
  plugin.energy = [](const Settings& settings) {
    return [one = OneElement<F>(settings)](const std::array<double, 3>& s) {
      return one.formula.stretches(s.data(), one.c.data());
    };
  };
  return plugin;
}

}  // namespace resilin
