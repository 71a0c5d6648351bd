// R = 1/2 z'^T K(z) z' with K = d2 psi/dz2 of an isotropic material, its negative eigenvalues set to zero, and both
// gradients of R. In the axes of z = u diag(s) v^T, with W = u^T z' v (StretchModes has the names),
//
//   2 R = d^T h d + sum_k (flip_k p_k^2 + twist_k q_k^2)/2,   d_i = W_ii,  p_k = W_ij + W_ji,  q_k = W_ij - W_ji
//
// so that dR/dz needs derivatives in three stretches and the turns of u and v, which are known: nothing is
// decomposed twice.
#pragma once
#include "potentials/evaluate.h"

namespace resilin {

/// Sets `out` at (block.z, zdot), R = 3. `elastic` reads stretches.
void tangent_rate(const TermKernels& elastic, const Block& block, const double* zdot,
                  const DissipationKernel::Rate& out);

}  // namespace resilin
