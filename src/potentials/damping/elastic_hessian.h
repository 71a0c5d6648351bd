// The derivatives of an elastic potential at a block of z or of stretches, for damping that is made from stiffness.
#pragma once
#include "potentials/evaluate.h"
#include "simd/pack.h"

namespace resilin {

/// Arrays of one block, and the block that points to them.
class ElasticHessian {
 public:
  /// At `z` ([packs][3R][8]), laid out like d2psi_z; positive semidefinite when `filter`.
  const double* at(const TermKernels& elastic, const Block& like, const double* z, bool filter) {
    Block block = like;
    block.z_origin = block.z_velocity = nullptr;
    block.filter = filter;
    block.z = z, block.u = u_, block.s = s_, block.v = v_;
    block.psi = psi_, block.dpsi_s = dpsi_s_, block.dpsi_z = dpsi_z_, block.d2psi_s = d2psi_s_,
    block.d2psi_z = d2psi_z_;
    evaluate(elastic, block, 2);
    return d2psi_z_;
  }

 private:
  static constexpr int n = block_packs * lanes;
  alignas(64) double u_[9 * n], s_[3 * n], v_[9 * n], psi_[n], dpsi_s_[3 * n], dpsi_z_[9 * n], d2psi_s_[6 * n],
      d2psi_z_[45 * n];
};

/// psi and its derivatives in the stretches `s` ([packs][3][8]), laid out like those of a block.
struct ElasticStretches {
  ElasticStretches(const TermKernels& elastic, const Block& like, const double* s) {
    Block block = like;
    block.z_origin = block.z_velocity = nullptr;
    block.s = s;
    block.psi = psi, block.dpsi_s = dpsi_s, block.d2psi_s = d2psi_s;
    block.dpsi_z = block.d2psi_z = nullptr;
    elastic.elastic()[0]->evaluate(block);
  }
  static constexpr int n = block_packs * lanes;
  alignas(64) double psi[n] = {}, dpsi_s[3 * n] = {}, d2psi_s[6 * n] = {};
};

}  // namespace resilin
