// Signed singular value decomposition of 3x3 matrices across lanes:
//
//   F = U diag(s) V^T,  U, V rotations (det +1),  s0 >= s1 >= |s2|,  sign(s2) = sign(det F).
//
// Jacobi on the Gram matrix F^T F, which is then formed again from the rotated F until its columns are
// orthogonal to rounding: the cheap two-sided rotations of McAdams et al. 2011 without the loss of half the
// digits. Errors: |U S V^T - F| <= 1e-14 |F|, |U^T U - 1| and |V^T V - 1| <= 1e-14, for all finite F whatever
// rank and scale (results below 1e-308 are subject to flush-to-zero). A lane with NaN or infinity gives NaN.
// A lane's bits do not depend on the other lanes, and the double version is one lane of the pack version.
// Called by terms whose potentials read stretches, and by polar3.h.
#pragma once

#include "simd/pack.h"

namespace resilin {

void svd3(const Pack f[9], Pack u[9], Pack s[3], Pack v[9]);
void svd3(const double f[9], double u[9], double s[3], double v[9]);

}  // namespace resilin
