// The fast global solve: factorised in double, stored and applied in float. Half the memory to stream;
// relative error 1e-7 to 1e-6, which is enough where the factor is a preconditioner or the solve is in delta form.
#include "linear/linear_solver.h"
#include "linear/supernodal_cholesky.h"

namespace resilin {

LinearSolverPlugin linear_cholesky_float() {
  return {
      "Sparse Cholesky factorisation, stored in single precision: solves about twice as fast, with a relative "
      "error of about 1e-6.",
      [] { return std::make_unique<SupernodalCholesky<float>>(); }};
}

}  // namespace resilin
