// The exact second derivative of the energy of a pair (pair_energy.h) by its coordinates z. For a distance d = |D|,
// D = sum_i w_i z_i, whose closest points may slide along the parts that they lie on by D_a = sum_i s_ai z_i,
//
//   d2d/dz2 = ( w w^T (x) (1 - n n^T) - sum_ab C_a G^-1_ab C_b^T )/d,
//   n = D/d,   C_a = w (x) D_a + s_a (x) D,   G_ab = D_a . D_b
//
// since d^2 is the minimum of |D|^2 over the places of the closest points: the second term is its Schur complement.
// A closest point inside a face slides two ways, one inside an edge one way, a corner none. The derivative jumps
// where the closest point passes from one part to another.
#pragma once
#include "simd/pack.h"

namespace resilin {

/// Adds d2psi/dz2 of eight pairs to `out`, the lower triangle of 9 x 9 row by row. `numbers`: of the pairs, as
/// PairTerm packs them. `filter`: the nearest positive semidefinite matrix instead (Teran et al. 2005).
void add_pair_hessian(const Pack z[9], const double* numbers, bool filter, double* out);

}  // namespace resilin
