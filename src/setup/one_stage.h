// One stage at which solvers are compared: its system, the least value of Phi that any solve has found, and solves
// from its guess. Errors are relative to the minimum (Eq. 12 of Liu et al. 2017). Phi is not convex: a solve that
// ends below the reference lowers the minimum.
#pragma once
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"

namespace resilin::setup {

// ---- errors and times

/// (Phi_k - Phi*) / (Phi_0 - Phi*) for every record of a trace.
std::vector<double> relative_errors(const SolveReport& report, double minimum);
/// Iterations until the relative error is at most `target`; trace.size() when never.
int iterations_to(const std::vector<double>& errors, double target);

/// The upper one of the two in the middle, where there are two.
double median(std::vector<double> values);

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}
/// Least wall time of a few runs [s]: other programs of the machine must not decide.
template <class Run>
double least_seconds(int repetitions, Run&& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto start = Clock::now();
    run();
    least = std::min(least, seconds_since(start));
  }
  return least;
}

// ---- one stage

/// The stage that backward Euler would solve from `state`, begun on the system.
Stage euler_stage(DynamicSystem& system, const State& state, double h);
/// From the stage's guess.
SolveReport solve_stage(Solver& solver, DynamicSystem& system, const Stage& stage, std::vector<double>& y,
                        int iterations, double tolerance = 0);

class OneStage {
 public:
  /// Backward Euler from (q, v) with step h, on a system of its own.
  OneStage(Model model, const std::vector<double>& q, const std::vector<double>& v, double h, int threads = 0);
  /// Without velocities.
  OneStage(Model model, const std::vector<double>& q, double h, int threads = 0);
  /// A stage of somebody's system, which outlives this.
  OneStage(DynamicSystem& system, Stage stage) : system_(&system), stage_(std::move(stage)) {}
  /// The next step of a simulation that outlives this, by backward Euler.
  explicit OneStage(Simulation& simulation);

  DynamicSystem& system() { return *system_; }
  Problem& problem() { return system_->problem(); }
  const Stage& stage() const { return stage_; }
  double value(const std::vector<double>& y) { return problem().evaluate(y.data(), nullptr).value(); }

  /// From the stage's guess; `memory`: what the solver has kept from earlier stages.
  SolveReport solve(Solver& solver, const StopRule& stop, std::vector<double>& y, Memory memory = {});
  /// The same, traced and without a tolerance.
  SolveReport trace(Solver& solver, int iterations, Memory memory = {});
  SolveReport trace(const std::string& solver, const Values& params, int iterations);
  /// Least wall time of a few warm solves of so many iterations, untraced [s].
  double seconds(const std::string& solver, const Values& params, int iterations, int repetitions);

  /// Newton (exact Hessian where it is positive definite) to |grad| <= tolerance |grad_0|: the reference minimum.
  double minimum(std::vector<double>& y, double tolerance = 1e-9, int iterations = 500);
  /// The least value found so far, by minimum() and by traced solves.
  double least() const { return least_; }
  std::vector<double> errors(const SolveReport& report) const { return relative_errors(report, least_); }

 private:
  std::unique_ptr<Model> model_;  // of its own, as the next two
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<DynamicSystem> own_;
  DynamicSystem* system_;
  Stage stage_;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace resilin::setup
