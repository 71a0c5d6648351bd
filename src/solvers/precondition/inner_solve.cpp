#include "solvers/precondition/inner_solve.h"

#include "linear/incomplete_cholesky.h"
#include "linear/jacobi.h"
#include "resilin/registry.h"
#include "solvers/precondition/conjugate_gradients.h"

namespace resilin {

InnerSolve::InnerSolve(const Settings& s)
    : linear_(s.text("linear_solver")),
      method_(s.text("linear_method")),
      preconditioner_(s.text("preconditioner")),
      iterations_(s.integer("linear_iterations")),
      tolerance_(s.number("linear_tolerance")) {}

Params InnerSolve::params(const std::string& direct) {
  return {text("linear_solver", direct, "linear solver of linear_method direct (resilin list linear)"),
          choice("linear_method", {"direct", "cg", "pcg"},
                 "how linear systems are solved. direct: by a factorisation; cg, pcg: by conjugate gradients, "
                 "without or with a preconditioner"),
          choice("preconditioner", {"jacobi", "incomplete_cholesky", "incomplete_cholesky_rest"},
                 "preconditioner of pcg. jacobi: the diagonal; incomplete_cholesky: of the constant Hessian; "
                 "incomplete_cholesky_rest: of the Hessian at rest"),
          integer("linear_iterations", 15, between(1, 10000), "iterations of conjugate gradients at most"),
          number("linear_tolerance", "", 1e-6, between(0, 1),
                 "residual at which conjugate gradients stop, relative to the first one")};
}

// Rows of a subspace hang together more closely than vertices, and their mean step has no closed form: always a
// factor in double precision.
std::unique_ptr<LinearSolver> InnerSolve::make(const Problem& problem) const {
  if (direct())
    return plugin<LinearSolverPlugin>("linear solver", problem.space().vertex_mass().empty() ? "cholesky" : linear_,
                                      "solver")
        .make();
  std::unique_ptr<LinearSolver> preconditioner;
  if (method_ == "pcg" && preconditioner_ == "jacobi") preconditioner = std::make_unique<Jacobi>();
  else if (method_ == "pcg") preconditioner = std::make_unique<IncompleteCholesky>();
  const ConjugateGradients::Limits limits{iterations_, tolerance_};
  return std::make_unique<ConjugateGradients>(std::move(preconditioner), limits);
}

void InnerSolve::prepare(LinearSolver& solver, Problem& problem) const {
  if (method_ != "pcg" || preconditioner_ == "jacobi") return;
  const auto precondition_with = [&](const SymmetricMatrix& matrix) {
    LinearSolver& inner = static_cast<ConjugateGradients&>(solver).precondition_with_other();
    inner.analyse(matrix);
    problem.space().factorise(inner, matrix);
  };
  if (preconditioner_ == "incomplete_cholesky") return precondition_with(problem.constant().matrix());
  Linearisation& at_rest = problem.linearise(problem.space().rest().data());
  SymmetricMatrix matrix = at_rest.pattern();
  at_rest.assemble(matrix, true);
  precondition_with(matrix);
}

}  // namespace resilin
