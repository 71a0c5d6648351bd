// A preconditioner: a symmetric positive definite approximation of the inverse Hessian of Phi. Preconditioners are
// composed, each one improves the operator that it holds (docs/theory/trust.md):
//
//   Factor       A^-1, the constant Hessian
//   PatchRows    low-rank rows of the stiffness of obstacles, with shared columns
//   LowRank      low-rank rows of any direction: interfaces of bodies, drags, energies of many vertices
//   Smoothed     Gauss-Seidel on the vertices in contact, before and after
//   CoarseSpace  the true Hessian on a few smooth functions
#pragma once

namespace resilin {

class Operator {
 public:
  virtual ~Operator() = default;
  /// d = B r on active components, zero on pinned rows. r and d may be the same array.
  virtual void apply(const double* r, double* d) = 0;
  /// Whether B is the same for x, y and z, and couples none of them: one product then serves three columns.
  virtual bool same_on_axes() const { return false; }
};

}  // namespace resilin
