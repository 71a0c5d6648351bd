// Rayleigh damping with the tangent stiffness of the material (Brown et al. 5.1.2, signs after X17):
//
//   R = beta/2 z'^T K(z) z',   K = d2 psi / dz2, its negative eigenvalues set to zero: else it would feed energy
//   in.
//
// dR/dz = beta/2 z'^T (dK/dz) z' is known in the axes of z for isotropic materials (tangent_rate.h). For the
// others, where nothing is cut off, it is the third derivative of psi contracted twice with z', so one directional
// difference of K z' gives all of it (their Eq. 50); elsewhere R itself is differenced in every coordinate. Tangent
// stiffness makes torque in a stressed body (E30): the momentum correction is on unless switched off.
#include <algorithm>

#include "potentials/damping/elastic_damping.h"
#include "potentials/damping/elastic_hessian.h"
#include "potentials/damping/tangent_rate.h"

namespace resilin {
namespace {

constexpr int lower(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

class RayleighKernel final : public DissipationKernel {
 public:
  static constexpr Reads reads = Reads::coordinates;
  RayleighKernel(const Potential& elastic, const Coefficients& beta, std::span<const int> slot_element)
      : rows_(shape_of(elastic.kind()).rows),
        isotropic_(rows_ == 3 && elastic.reads(2) == Reads::stretches),
        elastic_(elastic, slot_element),
        beta_(beta.pack(slot_element)) {}

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    if (!isotropic_) return general_rate(block, zdot, out);
    tangent_rate(elastic_, block, zdot, out);
    for (int p = 0; p < block.packs; ++p) {
      if (out.r != nullptr) scale(out.r + p * lanes, 1, beta(block, p));
      for (double* of : {out.by_z, out.by_rate})
        if (of != nullptr) scale(of + p * 9 * lanes, 9, beta(block, p));
    }
  }

  void curvature(const Block& block, const double*, double* h) const override {
    const int h_count = 3 * rows_ * (3 * rows_ + 1) / 2;
    ElasticHessian hessian;
    const double* k = hessian.at(elastic_, block, block.z, true);
    for (int p = 0; p < block.packs; ++p)
      for (int i = p * h_count; i < (p + 1) * h_count; ++i)
        store(h + i * lanes, beta(block, p) * load(k + i * lanes));
  }

 private:
  Pack beta(const Block& block, int p) const { return load(beta_.pack(block.first + p)); }
  static void scale(double* of, int count, Pack by) {
    for (int i = 0; i < count; ++i) store(of + i * lanes, by * load(of + i * lanes));
  }

  void general_rate(const Block& block, const double* zdot, const Rate& out) const {
    const int n = 3 * rows_;
    alignas(64) double force[block_packs * 9 * lanes];
    ElasticHessian hessian;
    const double* k = hessian.at(elastic_, block, block.z, true);
    multiply(block, k, zdot, force);
    for (int p = 0; p < block.packs; ++p) {
      Pack sum = {};
      for (int i = p * n; i < (p + 1) * n; ++i) sum += load(zdot + i * lanes) * load(force + i * lanes);
      if (out.r != nullptr) store(out.r + p * lanes, 0.5 * sum);
    }
    if (out.by_rate != nullptr) std::copy_n(force, block.packs * n * lanes, out.by_rate);
    if (out.by_z == nullptr) return;
    ElasticHessian unfiltered;
    const bool smooth =
        std::equal(k, k + block.packs * n * (n + 1) / 2 * lanes, unfiltered.at(elastic_, block, block.z, false));
    if (smooth) along_rate(block, zdot, out.by_z);
    else difference_by_z(block, zdot, out.by_z);
  }

  // beta K z'
  void multiply(const Block& block, const double* k, const double* zdot, double* out) const {
    const int n = 3 * rows_, h_count = n * (n + 1) / 2;
    for (int p = 0; p < block.packs; ++p)
      for (int i = 0; i < n; ++i) {
        Pack sum = {};
        for (int j = 0; j < n; ++j)
          sum += load(k + (p * h_count + lower(i, j)) * lanes) * load(zdot + (p * n + j) * lanes);
        store(out + (p * n + i) * lanes, beta(block, p) * sum);
      }
  }

  // beta/2 (d/de K(z + e z')) z', with e z' about 1e-5 in size.
  void along_rate(const Block& block, const double* zdot, double* by_z) const {
    const int n = 3 * rows_;
    alignas(64) double z[block_packs * 9 * lanes], plus[block_packs * 9 * lanes], minus[block_packs * 9 * lanes];
    Pack step[block_packs];
    for (int p = 0; p < block.packs; ++p) {
      Pack largest = broadcast(1e-30);
      for (int i = p * n; i < (p + 1) * n; ++i) largest = max(largest, abs(load(zdot + i * lanes)));
      step[p] = 1e-5 / largest;
    }
    const auto forces = [&](double sign, double* to) {
      for (int p = 0; p < block.packs; ++p)
        for (int i = p * n; i < (p + 1) * n; ++i)
          store(z + i * lanes, load(block.z + i * lanes) + sign * step[p] * load(zdot + i * lanes));
      ElasticHessian hessian;
      multiply(block, hessian.at(elastic_, block, z, false), zdot, to);
    };
    forces(1, plus), forces(-1, minus);
    for (int p = 0; p < block.packs; ++p)
      for (int i = p * n; i < (p + 1) * n; ++i)
        store(by_z + i * lanes, (load(plus + i * lanes) - load(minus + i * lanes)) / (4.0 * step[p]));
  }

  int rows_;
  bool isotropic_;
  TermKernels elastic_;
  PackedCoefficients beta_;
};

}  // namespace

DampingPlugin damping_rayleigh() {
  return {
      "Rayleigh damping: a force proportional to the tangent stiffness of the material. It damps high frequencies "
      "more than low ones.",
      Params{field("beta", "s", 0.01, at_least(0),
                   "time beta: damping matrix over stiffness matrix. A mode of frequency w [rad/s] has the damping "
                   "ratio beta w/2")}
          .add(damping_params(Damps::elastic, true)),
      Damps::elastic, make_elastic_damping<RayleighKernel>};
}

}  // namespace resilin
