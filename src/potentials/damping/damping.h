// What a damping model is to scenes: parameters, documentation, the elements it works on and how it is made. A
// model that is quadratic in rates and written as a formula takes the adaptor below and is one short file:
//
//   struct F {
//     static constexpr int rows, coefficients;                            R of its elements; numbers per element
//     static Params params();
//     static void prepare(const Settings&, int element, double* c);
//     static double viscosity(const double* c);                           k of the constant Hessian: k 1 / tau
//     static constexpr bool radial = true;                                only if R = viscosity/2 |zdot|^2
//     template <Real T> static T rate(const T* z, const T* zdot, const T* c, T* by_z, T* by_rate);   R and its two
//     gradients
//     template <Real T> static void curvature(const T* z, const T* c, T* h);          if it is known: d2R/dzdot2,
//     lower triangle
//     using Membrane = G;                                                 the same of triangles, if it has one
//   };
//
// The power law (Eq. 54) and the order are parameters of every model, the spline (Eq. 57) and the momentum
// correction (Section 6) of those that can damp solids: see make_damping.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/stamp.h"
#include "model/coefficients.h"
#include "potentials/dissipation.h"
#include "potentials/material.h"
#include "resilin/model.h"
#include "simd/pack.h"

namespace resilin {

/// Elements that a model can damp; continua: tets and triangles; elastic: all that have an elastic potential.
enum class Damps { solids, continua, springs, elastic, vertices };

/// What a model is made from.
struct DampingSource {
  std::string name;
  const Settings& settings;
  bool alone = false;  // in a term without a material
  int elements = 1;
  ElementKind kind = ElementKind::tet;
  std::shared_ptr<const Potential> elastic;  // of the same elements, for models that read its stiffness
  std::span<const int> indices = {};         // where element i stands in per-element lists; empty: at i

  /// Numbers per element, one set when all elements agree.
  template <class Prepare>
  Coefficients coefficients(int count, Prepare&& prepare) const {
    Coefficients out(count);
    std::vector<double> c(static_cast<std::size_t>(count));
    for (int i = 0; i < (settings.element_count() > 0 ? elements : 1); ++i) {
      prepare(settings, indices.empty() ? i : indices[i], c.data());
      out.add(c);
    }
    return out;
  }
};

struct DampingPlugin {
  std::string doc;
  Params params;  // its own and damping_params(damps)
  Damps damps = Damps::solids;
  std::function<std::shared_ptr<Dissipation>(const DampingSource&)> make;
};

/// The parameters that models of this kind have besides their own: splines and the momentum correction are for
/// those that can damp solids. `corrected`: momentum correction unless the user says otherwise.
Params damping_params(Damps damps, bool corrected = false);
/// Refuses combinations that make no sense and splines that dip below zero, with the reason.
void check_damping(const Settings& settings, ElementKind kind);
/// The factor that the settings' spline puts on the damping (Eq. 57), as a function of what it is drawn over; none:
/// 1 everywhere.
std::function<double(double)> spline_factor(const Settings& settings);
/// The model in its decorators.
std::shared_ptr<const Dissipation> make_damping(const DampingPlugin& plugin, const DampingSource& source);

bool can_damp(Damps damps, ElementKind kind);
/// Damps term number `term` of a model with a registered model: in that term, in one of its own on the same
/// elements ("separate"), or on the vertices of that term. `indices`: as in DampingSource.
void damp_term(Model& model, int term, const std::string& type, const Settings& settings,
               std::span<const int> indices = {});
/// The same with one that need not be registered, called `type`.
void damp_term(Model& model, int term, const DampingPlugin& kind, const std::string& type, const Settings& settings,
               std::span<const int> indices = {});

/// A model of vertices (drag) on these.
void damp_vertices(Model& model, std::span<const int> vertices, const DampingPlugin& kind, const std::string& type,
                   const Settings& settings);

template <class F>
class FormulaKernel final : public DissipationKernel {
 public:
  explicit FormulaKernel(PackedCoefficients coefficients) : coefficients_(std::move(coefficients)) {}
  // y = z: the minimiser lies between the origin and block.z.
  void radial_step(const Block& block, const double* weight, const Radius& radius, double* to) const override {
    constexpr int n = 3 * F::rows;
    for (int p = 0; p < block.packs; ++p) {
      Pack from[n], d[n], k, squares = {};
      for (int i = 0; i < n; ++i) {
        from[i] = load(block.z_origin + (p * n + i) * lanes);
        d[i] = load(block.z + (p * n + i) * lanes) - from[i];
        squares += d[i] * d[i];
      }
      for (int l = 0; l < lanes; ++l) k[l] = F::viscosity(lane_coefficients(block.first + p, l).data());
      const Pack distance = sqrt(squares),
                 part = radius(k, load(weight + p * lanes), distance) / max(distance, 1e-300);
      for (int i = 0; i < n; ++i) store(to + (p * n + i) * lanes, from[i] + part * d[i]);
    }
  }
  void curvature(const Block& block, const double* zdot, double* h) const override {
    if constexpr (requires(const Pack* in, Pack* out) { F::template curvature<Pack>(in, in, out); }) {
      constexpr int n = 3 * F::rows, pairs = n * (n + 1) / 2;
      for (int p = 0; p < block.packs; ++p) {
        Pack z[n], c[F::coefficients], lower[pairs];
        load_pack<F::coefficients>(coefficients_.pack(block.first + p), 0, c);
        load_pack<n>(block.z, p, z);
        F::template curvature<Pack>(z, c, lower);
        store_pack<pairs>(lower, p, h);
      }
    } else DissipationKernel::curvature(block, zdot, h);
  }
  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    constexpr int n = 3 * F::rows;
    for (int p = 0; p < block.packs; ++p) {
      Pack z[n], w[n], c[F::coefficients], by_z[n], by_rate[n];
      load_pack<F::coefficients>(coefficients_.pack(block.first + p), 0, c);
      load_pack<n>(block.z, p, z), load_pack<n>(zdot, p, w);
      const Pack r = F::template rate<Pack>(z, w, c, by_z, by_rate);
      if (out.r != nullptr) store(out.r + p * lanes, r);
      for (int i = 0; i < n && out.by_z != nullptr; ++i) store(out.by_z + (p * n + i) * lanes, by_z[i]);
      for (int i = 0; i < n && out.by_rate != nullptr; ++i) store(out.by_rate + (p * n + i) * lanes, by_rate[i]);
    }
  }

 private:
  std::array<double, F::coefficients> lane_coefficients(int pack, int lane) const {
    std::array<double, F::coefficients> c;
    for (int i = 0; i < F::coefficients; ++i) c[i] = coefficients_.pack(pack)[i * lanes + lane];
    return c;
  }

  PackedCoefficients coefficients_;
};

template <class F>
class FormulaDamping final : public Dissipation {
 public:
  explicit FormulaDamping(const DampingSource& source)
      : name_(source.name), kind_(source.kind), coefficients_(source.coefficients(F::coefficients, &F::prepare)) {}
  std::string name() const override { return name_; }
  ElementKind kind() const override { return kind_; }
  void viscosity(int element, double* matrix) const override {
    for (int i = 0; i < F::rows * F::rows; ++i)
      matrix[i] = i % (F::rows + 1) == 0 ? F::viscosity(coefficients_.element(element)) : 0;
  }
  bool radial() const override {
    return requires { F::radial; };
  }

 protected:
  std::unique_ptr<DissipationKernel> make_kernel(std::span<const int> slot_element) const override {
    return std::make_unique<FormulaKernel<F>>(coefficients_.pack(slot_element));
  }
  void stamp_model(Stamp& out) const override { out.add(std::span(coefficients_.values())); }

 private:
  std::string name_;
  ElementKind kind_;
  Coefficients coefficients_;
};

template <class F>
DampingPlugin formula_damping(std::string doc, Damps damps) {
  const auto make = [](const DampingSource& source) -> std::shared_ptr<Dissipation> {
    if constexpr (requires { typename F::Membrane; })
      if (source.kind == ElementKind::triangle)
        return std::make_shared<FormulaDamping<typename F::Membrane>>(source);
    return std::make_shared<FormulaDamping<F>>(source);
  };
  return {std::move(doc), F::params().add(damping_params(damps)), damps, make};
}

}  // namespace resilin
