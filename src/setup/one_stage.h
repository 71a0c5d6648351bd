// One minimisation with everything at hand, on the same Problem as everything else.
#pragma once
#include <memory>
#include <vector>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "resilin/model.h"
#include "resilin/solver.h"

namespace resilin::setup {

/// A stage of backward Euler from (q, v) with step h.
class OneStage {
 public:
  OneStage(Model model, const std::vector<double>& q, const std::vector<double>& v, double h, int threads = 0);
  /// Without velocities.
  OneStage(Model model, const std::vector<double>& q, double h, int threads = 0);

  DynamicSystem& system() { return *system_; }
  Problem& problem() { return system_->problem(); }
  const Stage& stage() const { return stage_; }
  /// From the stage's guess.
  SolveReport solve(Solver& solver, const StopRule& stop, std::vector<double>& y);
  /// Newton (exact Hessian where it is positive definite) to |grad| <= tolerance |grad_0|: the reference minimum.
  double minimum(std::vector<double>& y, double tolerance = 1e-9);
  double value(const std::vector<double>& y) { return system_->problem().evaluate(y.data(), nullptr).value(); }

 private:
  std::unique_ptr<Model> model_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<DynamicSystem> system_;
  Stage stage_;
};

/// (g(x_k) - g*) / (g(x_0) - g*) for every record of a trace.
std::vector<double> relative_errors(const SolveReport& report, double minimum);
/// Iterations until the relative error is at most `target`; trace.size() when never.
int iterations_to(const std::vector<double>& errors, double target);

}  // namespace resilin::setup
