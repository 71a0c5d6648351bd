// Eigenvalues of symmetric 3x3 matrices across lanes, h = Q diag(d) Q^T by Jacobi, and the filter that needs them:
//
//   project_psd3: h <- Q max(d, 0) Q^T, the nearest positive semidefinite matrix (Teran et al. 2005).
//
// h[6] = h00 h11 h22 h12 h20 h01. Q is a rotation, the eigenvalues are not sorted; |Q diag(d) Q^T - h| <=
// 1e-14 |h|. Lanes are independent bit for bit, and the double versions are one lane of the pack versions.
// Called by the Hessian filter of isotropic materials (3x3 block in the stretches).
#pragma once

#include "simd/pack.h"

namespace resilin {

void eigen3(const Pack h[6], Pack d[3], Pack q[9]);
void eigen3(const double h[6], double d[3], double q[9]);

// A lane without negative eigenvalues, or with NaN, keeps its bits.
void project_psd3(Pack h[6]);
void project_psd3(double h[6]);

}  // namespace resilin
