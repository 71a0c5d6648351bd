// Dense column-major kernels on raw arrays, `ld` = distance of columns. The only place of the factorisation
// that knows Eigen. Called by the multifrontal factorisation; single-threaded, so that the caller's tiles fix
// the order of sums.
#pragma once

namespace resilin {

/// A = L L^T in the lower triangle of an n x n block. Returns -1, or the first column whose pivot is not
/// positive and finite, with that pivot. The strict upper triangle is neither read nor written.
int cholesky_in_place(double* a, int n, int ld, double& pivot);

/// B <- B L^-T for B with `rows` rows and L lower triangular n x n.
void solve_transposed_right(const double* l, int n, int ld_l, double* b, int rows, int ld_b);

struct ConstMatrix {
  const double* data;
  int rows, ld;
};

/// C -= A B^T, C is a.rows x b.rows, both factors have `inner` columns.
void subtract_product(double* c, int ld_c, ConstMatrix a, ConstMatrix b, int inner);

}  // namespace resilin
