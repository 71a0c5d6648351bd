// Which columns of a sparse basis are needed: those that the ones before them leave something of. Called when a
// position subspace is made.
#pragma once
#include <vector>

#include "linear/sparse_matrix.h"

namespace resilin {

/// Of a Gram matrix with 1 x 1 blocks, column by column of a fill-reducing order: 0 where less than `tolerance` of
/// the square of a column is left by those before it. A sparse Cholesky factorisation, row by row, that passes over
/// such columns.
std::vector<char> independent_rows(const SymmetricMatrix& gram, double tolerance);

}  // namespace resilin
