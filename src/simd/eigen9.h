// The nearest positive semidefinite matrix of symmetric 9 x 9 matrices across lanes, h <- Q max(d, 0) Q^T with
// h = Q diag(d) Q^T by cyclic Jacobi (Golub and Van Loan, Section 8.5). Called by the Hessian filter of pairs in
// contact.
#pragma once

#include "simd/pack.h"

namespace resilin {

/// `h`: lower triangle, row by row. A lane without negative eigenvalues, or with NaN, keeps its bits.
void project_psd9(Pack h[45]);

}  // namespace resilin
