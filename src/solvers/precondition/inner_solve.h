// How the linear systems inside a descent method are solved: with a registered factor, or by a few iterations of
// conjugate gradients (Liu et al. 2017, Figs. 16 and 17). Shared by quasi_newton and newton.
#pragma once
#include <memory>
#include <string>

#include "linear/linear_solver.h"
#include "problem/problem.h"
#include "resilin/params.h"

namespace resilin {

class InnerSolve {
 public:
  /// Direct, with a registered linear solver.
  InnerSolve(std::string linear) : linear_(std::move(linear)) {}  // NOLINT: implicit by purpose
  InnerSolve(const char* linear) : linear_(linear) {}             // NOLINT
  explicit InnerSolve(const Settings& s);
  /// `linear_solver` and what chooses conjugate gradients instead; `direct` is the default factor.
  static Params params(const std::string& direct);

  bool direct() const { return method_ == "direct"; }
  /// For a matrix of that objective.
  std::unique_ptr<LinearSolver> make(const Problem& problem) const;
  /// Refreshes a preconditioner that is not made of the matrix itself: for another tau or revision.
  void prepare(LinearSolver& solver, Problem& problem) const;

 private:
  std::string linear_, method_ = "direct", preconditioner_ = "jacobi";
  int iterations_ = 15;
  double tolerance_ = 0;
};

}  // namespace resilin
