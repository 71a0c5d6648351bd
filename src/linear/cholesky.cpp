// The exact global solve: supernodal Cholesky with a double factor.
#include "linear/linear_solver.h"
#include "linear/supernodal_cholesky.h"

namespace resilin {

LinearSolverPlugin linear_cholesky() {
  return {"Sparse Cholesky factorisation in double precision.",
          [] { return std::make_unique<SupernodalCholesky<double>>(); }};
}

}  // namespace resilin
