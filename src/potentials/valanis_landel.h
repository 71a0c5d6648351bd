// The adaptor from Valanis-Landel formulas to a Potential. A Formula has
//   static constexpr int coefficients;                       numbers per element
//   static Params params();                                  its parameters
//   static void prepare(const Settings&, int element, double* c);   not static when it needs what elements share
//   void share(const Settings&);                             optional: what elements of the same settings share (tables);
//                                                            called before prepare whenever the settings change
//   template <Real T> Jet<T> a(T x, const T* c) const;       likewise b and c; b and c may be absent
//   template <Real T> T invariants(const T z[9], const T* c, T p[9]) const;   optional: psi and dpsi/dz without an SVD
//   template <Real T> T corotated(const T z[9], const T r[9], const T* c, T p[9]) const;   optional: the same with the
//                                                            nearest rotation r, which is cheaper than an SVD
//   the members that compliant.h asks for                    optional: psi as a sum of squares of constraints
//   static bool constrains(const T* c);                      optional: whether these coefficients allow it
#pragma once
#include <algorithm>
#include <array>
#include <cassert>

#include "model/coefficients.h"
#include "potentials/compliant.h"
#include "potentials/material.h"
#include "resilin/errors.h"
#include "simd/mat3.h"
#include "simd/pack.h"

namespace resilin {

template <class F>
concept HasB = requires(const F& f, double x, const double* c) { f.b(x, c); };
template <class F>
concept HasC = requires(const F& f, double x, const double* c) { f.c(x, c); };
template <class F>
concept HasInvariants = requires(const F& f, const double* z, const double* c, double* p) { f.invariants(z, c, p); };
template <class F>
concept HasCorotated = requires(const F& f, const double* z, const double* c, double* p) { f.corotated(z, z, c, p); };
template <class F>
concept Projects = F::projects;

template <class F>
concept Shares = requires(F& f, const Settings& settings) { f.share(settings); };

template <class F>
class ValanisLandel final : public Potential {
 public:
  ValanisLandel(std::string name, std::span<const ElementSettings> elements)
      : name_(std::move(name)), coefficients_(F::coefficients) {
    double c[F::coefficients];
    std::array<double, 3> fitted{};
    const Settings* last = nullptr;
    for (const auto& [settings, index] : elements) {
      if (settings != last || settings->element_count() > 0) {
        if constexpr (Shares<F>)
          if (settings != last) formula_.share(*settings);
        formula_.prepare(*settings, index, c);
        fitted = fit_stretches(*settings, c);
      }
      fit_.add(fitted);
      coefficients_.add(c);
      last = settings;
    }
  }

  std::string name() const override { return name_; }
  Reads reads(int derivatives) const override {
    if (derivatives < 2 && HasInvariants<F>) return Reads::coordinates;
    return derivatives < 2 && HasCorotated<F> ? Reads::rotation : Reads::stretches;
  }
  void arrange(std::span<const int> slot_element) override {
    coefficients_.arrange(slot_element);
    fit_.arrange(slot_element);
  }
  void quadratic(int element, double* matrix) const override {
    for (int i = 0; i < 9; ++i) matrix[i] = i % 4 == 0 ? fit_.element(element)[0] : 0;
  }
  // Stretches beyond the interval count as its ends: crushed and inverted elements must not stiffen the whole body.
  void fit(const Block& block, const double* measure, StretchFit& sums) const override {
    Pack top = {}, bottom = {};
    for (int p = 0; p < block.packs; ++p) {
      const double *from = coefficients_.pack(block.first + p), *fitted = fit_.pack(block.first + p);
      Pack c[F::coefficients];
      for (int i = 0; i < F::coefficients; ++i) c[i] = load(from + i * lanes);
      const Pack k = load(fitted), low = load(fitted + lanes), high = load(fitted + 2 * lanes),
                 weight = load(measure + p * lanes);
      for (int i = 0; i < 3; ++i) {
        const Pack x = min(max(load(block.s + (p * 3 + i) * lanes), low), high), e = x - 1.0;
        top += weight * e * stress(x, c);
        bottom += weight * k * e * e;
      }
    }
    sums.stress += sum(top);
    sums.stiffness += sum(bottom);
  }

  void evaluate(Block& block) const override {
    for (int p = 0; p < block.packs; ++p) {
      Pack c[F::coefficients];
      const double* from = coefficients_.pack(block.first + p);
      for (int i = 0; i < F::coefficients; ++i) c[i] = load(from + i * lanes);
      if constexpr (HasInvariants<F> || HasCorotated<F>) {
        if (block.d2psi_s == nullptr) {
          by_coordinates(block, p, c);
          continue;
        }
      }
      by_stretches(block, p, c);
    }
  }

  std::unique_ptr<CompliantForm> compliant_form() const override {
    if constexpr (Constrains<F>) {
      if constexpr (requires(const double* c) { F::constrains(c); })
        for (int i = 0; i < coefficients_.size(); ++i)
          if (!F::constrains(coefficients_.element(i))) return nullptr;
      return std::make_unique<PackedForm<F, F::coefficients>>(formula_, coefficients_);
    } else {
      return nullptr;
    }
  }

  bool projects() const override { return Projects<F>; }
  // The nearest rotation, also of inverted elements (X43): k/2 |z - p|^2 is the energy itself.
  void project(const Block& block, double* projected) const override {
    static_assert(!Projects<F> || HasCorotated<F>);
    std::copy_n(block.r, block.packs * 9 * lanes, projected);
  }

 private:
  // k of Eq. 11 and the interval it is fitted on.
  std::array<double, 3> fit_stretches(const Settings& settings, const double* c) const {
    const auto interval = settings.numbers("fit_interval");
    if (interval.size() != 2 || !(interval[0] < interval[1]))
      settings.value("fit_interval").fail("wanted: two stretches [low, high] with low < high");
    if (settings.has("fit_stiffness")) return {settings.number("fit_stiffness"), interval[0], interval[1]};
    const double k = fit_stiffness([&](double x) { return stress(x, c); }, interval[0], interval[1]);
    if (!(k > 0))
      throw InputError(settings.where(), "Eq. 11 gives a stiffness that is not positive on this fit_interval; set fit_stiffness by hand");
    return {k, interval[0], interval[1]};
  }
  template <Real T>
  T stress(T x, const T* c) const {
    T f = formula_.a(x, c).d;
    if constexpr (HasB<F>) f += 2.0 * formula_.b(x, c).d;
    if constexpr (HasC<F>) f += formula_.c(x, c).d;
    return f;
  }

  static void add(double* to, int index, Pack value) { store(to + index * lanes, load(to + index * lanes) + value); }

  void by_coordinates(Block& block, int p, const Pack* c) const {
    Pack z[9], stress_z[9], psi;
    for (int i = 0; i < 9; ++i) z[i] = load(block.z + (p * 9 + i) * lanes);
    if constexpr (HasInvariants<F>) {
      psi = formula_.invariants(z, c, stress_z);
    } else {
      Pack r[9];
      for (int i = 0; i < 9; ++i) r[i] = load(block.r + (p * 9 + i) * lanes);
      psi = formula_.corotated(z, r, c, stress_z);
    }
    add(block.psi, p, psi);
    if (block.dpsi_z != nullptr)
      for (int i = 0; i < 9; ++i) add(block.dpsi_z, p * 9 + i, stress_z[i]);
  }

  void by_stretches(Block& block, int p, const Pack* c) const {
    Pack s[3];
    for (int i = 0; i < 3; ++i) s[i] = load(block.s + (p * 3 + i) * lanes);
    Pack psi = {}, d[3] = {}, h[6] = {};  // h: 00 11 22 12 02 01
    for (int i = 0; i < 3; ++i) {
      const Jet<Pack> a = formula_.a(s[i], c);
      psi += a.f, d[i] += a.d, h[i] += a.dd;
    }
    if constexpr (HasB<F>) {
      for (int k = 0; k < 3; ++k) {  // the pair without stretch k
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const Jet<Pack> b = formula_.b(s[i] * s[j], c);
        psi += b.f;
        d[i] += b.d * s[j], d[j] += b.d * s[i];
        h[i] += b.dd * s[j] * s[j], h[j] += b.dd * s[i] * s[i];
        h[3 + k] += b.d + b.dd * s[i] * s[j];
      }
    }
    if constexpr (HasC<F>) {
      const Pack g[3] = {s[1] * s[2], s[0] * s[2], s[0] * s[1]};
      const Jet<Pack> jet = formula_.c(s[0] * g[0], c);
      psi += jet.f;
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        d[k] += jet.d * g[k];
        h[k] += jet.dd * g[k] * g[k];
        h[3 + k] += jet.d * s[k] + jet.dd * g[i] * g[j];
      }
    }
    add(block.psi, p, psi);
    if (block.dpsi_s != nullptr)
      for (int i = 0; i < 3; ++i) add(block.dpsi_s, p * 3 + i, d[i]);
    if (block.d2psi_s != nullptr)
      for (int i = 0; i < 6; ++i) add(block.d2psi_s, p * 6 + i, h[i]);
  }

  std::string name_;
  F formula_;
  Coefficients coefficients_;
  Coefficients fit_{3};  // k, low, high
};

/// The plugin of a formula.
template <class F>
MaterialPlugin valanis_landel(std::string name, std::string doc) {
  MaterialPlugin plugin;
  plugin.doc = std::move(doc);
  plugin.params = F::params();
  plugin.params.add(fit_params());
  plugin.make = [name](std::span<const ElementSettings> elements) { return std::make_shared<ValanisLandel<F>>(name, elements); };
  plugin.functions = [](const Settings& settings) {
    auto formula = std::make_shared<F>();
    if constexpr (Shares<F>) formula->share(settings);
    std::vector<double> c(F::coefficients);
    formula->prepare(settings, 0, c.data());
    ValanisLandelFunctions out;
    out.a = [formula, c](double x) { return formula->a(x, c.data()); };
    out.b = [](double) { return Jet<double>{0, 0, 0}; };
    out.c = [](double) { return Jet<double>{0, 0, 0}; };
    if constexpr (HasB<F>) out.b = [formula, c](double x) { return formula->b(x, c.data()); };
    if constexpr (HasC<F>) out.c = [formula, c](double x) { return formula->c(x, c.data()); };
    return out;
  };
  return plugin;
}

}  // namespace resilin
