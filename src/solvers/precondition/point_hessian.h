// The Hessian of Phi at a point, with 3 x 3 blocks on the free vertices, and what solves with it. Couplings count
// with their Gauss-Newton part, and with their curvature k c d2c unless it makes a filtered Hessian indefinite. The
// pattern is analysed once per revision.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "problem/problem.h"
#include "solvers/precondition/inner_solve.h"
#include "solvers/precondition/low_rank.h"
#include "solvers/precondition/mean_step.h"

namespace resilin {

class PointHessian {
 public:
  explicit PointHessian(InnerSolve inner) : inner_(std::move(inner)) {}

  /// True when it is at hand for the objective's tau and revision (at whatever point).
  bool current(const Problem& problem) const {
    return solver_ && tau_ == problem.stage().tau && revision_ == problem.revision().energy;
  }
  /// At y; false when it is not positive definite (conjugate gradients: not finite).
  bool factorise(Problem& problem, const double* y, bool filter);
  /// At y, unfiltered, plus the least multiple of the identity, of those tried, that makes it positive definite
  /// (Nocedal and Wright, Alg. 3.3). Its multiple, or a negative number on failure.
  double factorise_shifted(Problem& problem, const double* y);
  /// d = H^-1 r for all vertices, r and d may be the same array; pinned ones get zero. The mean step of components
  /// that nothing holds is exact: 1^T H = 1^T M/tau^2 there, so the momentum stays whatever the precision of the
  /// solve (E81).
  void solve(Problem& problem, const double* r, double* d);

 private:
  void prepare(Problem& problem, Linearisation& at);
  bool factorise_matrix(const Problem& problem);
  bool add_curvature(const Problem& problem, const double* y);
  void hold_global_energies(Problem& problem, const double* y);
  void find_mean_steps(const Problem& problem);

  // Without energies of many vertices.
  struct Sparse final : Operator {
    explicit Sparse(PointHessian& hessian) : of(hessian) {}
    void apply(const double* r, double* d) override;
    PointHessian& of;
    Problem* problem = nullptr;
  };
  InnerSolve inner_;
  std::unique_ptr<LinearSolver> solver_;
  SymmetricMatrix matrix_;
  Sparse sparse_{*this};
  LowRank with_global_{sparse_};           // at the point of the factor
  std::vector<std::vector<int>> islands_;  // that nothing holds
  MeanStep mean_step_;
  double tau_ = 0;
  std::uint64_t revision_ = 0, structure_ = 0, pattern_ = 0;
  std::vector<double> packed_;
};

}  // namespace resilin
