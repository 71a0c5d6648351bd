#include "solvers/progress/error_measure.h"

#include <algorithm>

#include "solvers/precondition/inner_solve.h"

namespace resilin {

ErrorMeasure::ErrorMeasure() {
  Params params = initial_hessian_params();
  params.add(InnerSolve::params("cholesky_float"));
  hessian_ = make_initial_hessian(params.defaults());
}

bool ErrorMeasure::accurate(Problem& problem, const std::vector<double>& y, const std::vector<double>& gradient,
                            const Evaluation& here, const Iterations& iterations, SolveReport& report) {
  if (fresh_) {
    for (auto& [name, entry] : memory_.entries) std::fill(entry.values.begin(), entry.values.end(), 0.0);
    if (hessian_->begin(problem, y, memory_) < 0) return false;
    hessian_->iterate(problem, y, 0);
    hessian_->iterate(problem, y, 1);
    fresh_ = false;
  }
  direction_.resize(y.size());
  hessian_->solve(problem, y, 0, gradient.data(), direction_.data());
  const Vectors::Pair pair{gradient.data(), direction_.data()};
  problem.space().vectors().dots(std::span(&pair, 1), dots_);
  errors_.clear();
  bool all = true;
  for (int c = 0; c < problem.space().components().count(); ++c) {
    errors_.push_back(iterations.error(c, dots_[c]));
    all = all && iterations.accurate(c, dots_[c], here.of(c).potential);
  }
  note_errors(errors_, report);
  return all;
}

}  // namespace resilin
