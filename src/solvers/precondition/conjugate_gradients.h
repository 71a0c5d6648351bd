// Truncated, preconditioned conjugate gradients as a LinearSolver: `factorise` keeps the matrix and `solve` runs a
// few iterations from zero. It stops at negative curvature and returns what it has, or the first search direction:
// so x.b > 0 always, a descent direction for any symmetric A (Gast et al. 2015; Nocedal and Wright, Alg. 7.1). Not
// registered: a registered linear solver solves. Made by InnerSolve.
#pragma once
#include <memory>
#include <vector>

#include "linear/linear_solver.h"
#include "linear/row_product.h"

namespace resilin {

class ConjugateGradients final : public LinearSolver {
 public:
  struct Limits {
    int iterations = 15;
    double tolerance = 0;  // of |A x - b| / |b|
  };
  /// Without a preconditioner: plain CG.
  ConjugateGradients(std::unique_ptr<LinearSolver> preconditioner, Limits limits)
      : preconditioner_(std::move(preconditioner)), limits_(limits) {}

  void analyse(const SymmetricMatrix& a) override;
  /// Keeps the values; A may be indefinite. Not positive definite means: A is not finite, or its preconditioner
  /// failed.
  Factorisation factorise(const SymmetricMatrix& a, ThreadPool& pool) override;
  /// Preconditions with another matrix than A from now on: the solver that the caller gives it to.
  LinearSolver& precondition_with_other();
  void solve(const double* b, double* x, ThreadPool& pool) const override;
  std::size_t factor_bytes() const override { return matrix_.value.size() * sizeof(double); }
  std::int64_t factor_nonzeros() const override { return static_cast<std::int64_t>(matrix_.value.size()); }

  int last_iterations() const { return last_iterations_; }
  bool met_negative_curvature() const { return negative_curvature_; }

 private:
  void precondition(ThreadPool& pool) const;

  std::unique_ptr<LinearSolver> preconditioner_;
  Limits limits_;
  bool foreign_ = false;  // the preconditioner is of another matrix
  SymmetricMatrix matrix_;
  RowProduct product_;
  mutable std::vector<double> x_, r_, z_, p_, ap_, sums_;
  mutable int last_iterations_ = 0;
  mutable bool negative_curvature_ = false;
};

}  // namespace resilin
