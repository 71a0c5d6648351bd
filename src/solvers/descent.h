// The shared loop of all descent methods, and its recorder:
//   1. evaluate Phi and its gradient at the start
//   2. ask the method for a direction
//   3. search along it (line_search.h)
//   4. when the first line search had to cut deeply, the ballistic start was bad (elements crushed or turned over in flight): go on
//      from where the stage began, moved with its mean motion, if Phi is lower there; Phi is then bounded by the energy before
//   5. tell the method about the accepted step; stop by tolerance, round-off, iterations, budget or cancellation
#pragma once
#include <chrono>
#include <limits>
#include <vector>

#include "objective/objective.h"
#include "resilin/solver.h"
#include "solvers/line_search.h"

namespace resilin {

/// What distinguishes one descent method from another.
class DescentMethod {
 public:
  virtual ~DescentMethod() = default;
  /// d from the gradient at y; false: no direction could be found (status says why).
  virtual bool direction(Objective& objective, const std::vector<double>& y, const std::vector<double>& g,
                         std::vector<double>& d, SolveReport& report) = 0;
  /// A step was taken, and another may follow: `from`, `to` and the gradients there.
  virtual void accepted(const std::vector<double>& /*from*/, const std::vector<double>& /*to*/, const std::vector<double>& /*g_from*/,
                        const std::vector<double>& /*g_to*/, ThreadPool&) {}
  /// Drops what makes the direction not one of descent; false when there is nothing to drop.
  virtual bool restart() { return false; }
  /// Of the stage's budget when a direction is asked for: optional work that takes much of it does not pay.
  double seconds_left = std::numeric_limits<double>::infinity();
};

SolveReport descend(Objective& objective, const Stage& stage, std::vector<double>& y, const StopRule& stop, const LineSearch& search,
                    DescentMethod& method, DescentWorkspace& work, Solver& solver);

/// Seconds of the enclosing scope are added to `to`.
class PhaseTimer {
 public:
  explicit PhaseTimer(double& to) : to_(to), start_(std::chrono::steady_clock::now()) {}
  ~PhaseTimer() { to_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double& to_;
  std::chrono::steady_clock::time_point start_;
};

/// Writes the trace; its own work does not count.
class Recorder {
 public:
  Recorder(Solver& solver, SolveReport& report);
  void record(const Objective& objective, double value, double residual, double step_length, int evaluations,
              const std::vector<double>& y);
  double seconds() const;
  /// The clock stands while what is returned lives: for measurements that are no part of the method.
  PhaseTimer pause() { return PhaseTimer(paused_); }

 private:
  Solver& solver_;
  SolveReport& report_;
  std::chrono::steady_clock::time_point start_;
  double paused_ = 0;
};

/// Throws when the force of some damping jumps (power < 1 without smoothing): a method of gradients would never end there.
void require_smooth(const Objective& objective, const std::string& solver);

/// Residuals below this are what rounding of positions leaves: converged whatever the tolerance.
double residual_floor(const Objective& objective);

}  // namespace resilin
