// Damping of principal stretches with the stiffness of the material (Brown et al. 5.1.3). Its S is a function of
// the stretches s alone, with s^p those of the stage's origin (Eq. 53, X21):
//
//   S(s) = beta (d . dpsi/ds - psi/tau),   d = (s - s^p)/tau,   dS/ds = beta K_s d,   K_s = d2 psi / ds2
//
// which needs no second-order correction and shares the SVD with the material. Rotation of the principal axes in
// the body is not damped; a fast spin looks like stretching to second order in the step (X21). As a rate (explicit
// integrators, decorators, the ledger) R = beta/2 s'^T K_s s', s'_j = (u^T z' v)_jj, with K_s made positive
// semidefinite.
#include "potentials/damping/elastic_damping.h"
#include "potentials/damping/elastic_hessian.h"
#include "simd/eigen3.h"
#include "simd/mat3.h"
#include "simd/svd3.h"

namespace resilin {
namespace {

constexpr int n = block_packs * lanes;

class PrincipalKernel final : public DissipationKernel {
 public:
  static constexpr Reads reads = Reads::stretches;
  PrincipalKernel(const Potential& elastic, const Coefficients& beta, std::span<const int> slot_element)
      : elastic_(elastic, slot_element), beta_(beta.pack(slot_element)) {}

  void evaluate(Block& block) const override {
    if (block.z_origin == nullptr) return;
    const ElasticStretches elastic(elastic_, block, block.s);
    for (int p = 0; p < block.packs; ++p) {
      Pack before[3], d[3], z[9], u[9], v[9], h[6], psi = -load(elastic.psi + p * lanes) / block.tau;
      load_pack<9>(block.z_origin, p, z);
      svd3(z, u, before, v);
      load_pack<6>(elastic.d2psi_s, p, h);
      for (int i = 0; i < 3; ++i) {
        d[i] = (load(block.s + (p * 3 + i) * lanes) - before[i]) / block.tau;
        psi += d[i] * load(elastic.dpsi_s + (p * 3 + i) * lanes);
      }
      const Pack beta = load(beta_.pack(block.first + p));
      add(block.psi, p, beta * psi);
      Pack force[3];
      multiply6(h, d, force);
      for (int i = 0; i < 3 && block.dpsi_s != nullptr; ++i) add(block.dpsi_s, p * 3 + i, beta * force[i]);
      for (int i = 0; i < 6 && block.d2psi_s != nullptr; ++i)
        add(block.d2psi_s, p * 6 + i, beta * h[i] / block.tau);
    }
  }

  void rate(const Block& block, const double* zdot, const Rate& out) const override {
    alignas(64) double s[3 * n], u[9 * n], v[9 * n];
    for (int p = 0; p < block.packs; ++p) {
      Pack z[9], up[9], sp[3], vp[9];
      load_pack<9>(block.z, p, z);
      svd3(z, up, sp, vp);
      store_pack<9>(up, p, u), store_pack<9>(vp, p, v);
      store_pack<3>(sp, p, s);
    }
    const ElasticStretches elastic(elastic_, block, s);
    for (int p = 0; p < block.packs; ++p) {
      Pack up[9], vp[9], w[9], h[6], half[9], full[9], force[3], gradient[9];
      load_pack<9>(u, p, up), load_pack<9>(v, p, vp), load_pack<9>(zdot, p, w);
      load_pack<6>(elastic.d2psi_s, p, h);
      project_psd3(h);
      multiply_tn(up, w, half), multiply(half, vp, full);
      const Pack rates[3] = {full[0], full[4], full[8]}, beta = load(beta_.pack(block.first + p));
      multiply6(h, rates, force);
      for (Pack& f : force) f *= beta;
      if (out.r != nullptr)
        store(out.r + p * lanes, 0.5 * (rates[0] * force[0] + rates[1] * force[1] + rates[2] * force[2]));
      multiply_diagonal_nt(up, force, vp, gradient);
      for (int i = 0; i < 9 && out.by_rate != nullptr; ++i) store(out.by_rate + (p * 9 + i) * lanes, gradient[i]);
    }
    if (out.by_z != nullptr) difference_by_z(block, zdot, out.by_z);
  }

 private:
  // h = 00 11 22 12 02 01
  static void multiply6(const Pack h[6], const Pack x[3], Pack y[3]) {
    y[0] = h[0] * x[0] + h[5] * x[1] + h[4] * x[2];
    y[1] = h[5] * x[0] + h[1] * x[1] + h[3] * x[2];
    y[2] = h[4] * x[0] + h[3] * x[1] + h[2] * x[2];
  }

  TermKernels elastic_;
  PackedCoefficients beta_;
};

}  // namespace

DampingPlugin damping_principal_strain() {
  return {
      "Damps changes of the principal stretches in proportion to the stiffness of the material. It is cheap, "
      "because it shares the SVD of the material.",
      Params{field("beta", "s", 0.01, at_least(0), "time beta: damping matrix over stiffness matrix")}.add(
          damping_params(Damps::solids)),
      Damps::solids, make_elastic_damping<PrincipalKernel>};
}

}  // namespace resilin
