// Solvers against each other: a Study is a stage, the least value of Phi that any solve has found there, and solves
// from its guess; a Method is a solver with its settings; a SolveReport is what it did. Errors are relative to the
// minimum (Eq. 12 of Liu et al. 2017). Phi is not convex: a solve that ends below the reference lowers the minimum.
#pragma once
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "resilin/builder.h"

namespace resilin::lab {

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

class Study {
 public:
  /// Backward Euler from (q, v) with step h, on a system of its own.
  Study(Model model, const std::vector<double>& q, const std::vector<double>& v, double h, int threads = 0);
  /// A stage of somebody's system, which outlives this.
  Study(DynamicSystem& system, Stage stage) : system_(&system), stage_(std::move(stage)) {}
  /// The next step of a simulation that outlives this, by backward Euler.
  explicit Study(Simulation& simulation);

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
using OneStage = Study;

// ---- iterations and time to an error

struct Method {
  std::string name, solver;
  Values params = {};
  int iterations = 150;  // at most
  bool repeated = true;  // false: its times are only shown, and one solve must do
  bool dear = false;     // only in the last compared frame, unprepared, and no further than the smallest target
};

constexpr std::array<double, 3> error_targets = {1e-2, 1e-3, 1e-4};
/// Where curves end, and with them solves that are only timed.
constexpr double least_error = 1e-6;

/// Means over the compared frames: those in which the stage does not begin at its minimum. A target that is not
/// reached counts with all iterations done.
struct Needed {
  std::array<double, 3> iterations{}, ms{};
  std::array<int, 3> missed{};  // frames in which the target was not reached
  int compared = 0;             // frames
  bool finite = true;
  /// Relative error and milliseconds after 0, 1, ... iterations, medians over the compared frames, down to
  /// least_error.
  std::vector<double> curve_error, curve_ms;
};

struct NeededOptions {
  int frames = 9, every = 3;  // frames of a converged past, and every which of them is compared
  int repeat = 3;             // of timed solves, in turn; the least time of each iteration counts
  int reference = 600;  // iterations that the reference may take; 0: no reference, the methods find the minimum
  double past = 1e-6;   // tolerance of the past of a BarCase
  int past_iterations = 400;  // per frame at most
};

/// By method, at states of `past`, which is advanced; in stages of backward Euler.
std::vector<Needed> needed(Simulation& past, const std::vector<Method>& methods, const NeededOptions& options);

// ---- trajectories against a converged run

/// A run with a fixed number of iterations per frame against the converged one.
struct OwnTrajectory {
  double error = 0;  // root mean square distance over vertices and frames, over the body's size
  double shape = 0;  // the same after the rigid motion that makes it least, frame by frame
  bool finite = true;
  double ms = 0;  // per frame, median
};
/// By run, frame by frame beside the converged one.
std::vector<OwnTrajectory> own_trajectories(Simulation& converged,
                                            const std::vector<std::unique_ptr<Simulation>>& runs, int frames);

}  // namespace resilin::lab
