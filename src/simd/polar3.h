// Rotation factor of 3x3 matrices across lanes: the R in SO(3) nearest to F, which is U V^T of the signed SVD.
//
//   polar3:      from the SVD; always right.
//   polar3_warm: Newton on tr(R^T F) from a guess, a quaternion (w, x, y, z) kept per element; 2.4 times as
//                fast when the guess is near. Lanes in which it does not reach the maximum, or where R is
//                ill-conditioned (s1 + s2 small), take the SVD, so it is as safe; its last bits depend on
//                the guess and must therefore not outlive a stage.
//
// |R^T R - 1| <= 1e-14 and |skew(R^T F)| <= 1e-13 |F|. Called by corotational and projective-dynamics local
// steps.
#pragma once

#include "simd/pack.h"

namespace resilin {

void polar3(const Pack f[9], Pack r[9]);
void polar3(const double f[9], double r[9]);

// `guess` is replaced by the result's quaternion; {1, 0, 0, 0} is a valid first guess, and so is {0, 0, 0,
// 0}. Returns the lanes (as bits) that took the SVD.
unsigned polar3_warm(const Pack f[9], Pack guess[4], Pack r[9]);

}  // namespace resilin
