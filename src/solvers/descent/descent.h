// The shared loop of all descent methods, component by component:
//   1. evaluate Phi and its gradient at the start, which is the better of where the stage would fly freely and its
//      best rigid motion
//   2. ask the method for a direction; g . d tells the error, and those that are accurate are finished
//   3. search along it (line_search.h), each component with its own length
//   4. tell the method about the accepted steps; stop by error, round-off, iterations, budget or cancellation
//   5. what was cut short keeps the energy bound of its stage (energy_guard.h)
#pragma once
#include <vector>

#include "problem/problem.h"
#include "resilin/solver.h"
#include "solvers/descent/energy_guard.h"
#include "solvers/descent/line_search.h"
#include "solvers/descent/rigid_start.h"
#include "solvers/progress/iterations.h"

namespace resilin {

/// What distinguishes one descent method from another.
class DescentMethod {
 public:
  virtual ~DescentMethod() = default;
  /// A stage begins at y: the method may move it.
  virtual void start(Problem&, std::vector<double>& /*y*/, SolveReport&) {}
  /// d from the gradient at y after so many iterations, on active components; false: none could be found (status
  /// says why).
  virtual bool direction(Problem& problem, const std::vector<double>& y, const std::vector<double>& g,
                         int iterations, std::vector<double>& d, SolveReport& report) = 0;
  /// Whether -g . d of that direction tells the error of a component.
  virtual bool measures(int /*component*/, int /*iterations*/) const { return true; }
  /// The line search of a component had to cut, or not.
  virtual void searched(int /*component*/, bool /*cut*/) {}
  /// Steps were taken, and others may follow: `from`, `to` and the gradients there.
  virtual void accepted(const std::vector<double>& /*from*/, const std::vector<double>& /*to*/,
                        const std::vector<double>& /*g_from*/, const std::vector<double>& /*g_to*/, Problem&) {}
  /// Phi is another function now: nothing that is remembered of it holds.
  virtual void function_changed() {}
  /// Drops what makes the direction of a component not one of descent; false when there is nothing to drop.
  virtual bool restart(int /*component*/) { return false; }
  /// The direction of a component is not finite: drops the newest or least simple part of what it was made of;
  /// false when there is nothing left to drop.
  virtual bool simplify(int component) { return restart(component); }
};

struct DescentOptions {
  LineSearch search;
  /// From the better of the guess and the best rigid motion, with the guard; else from the guess, and the rigid
  /// motion is looked at only when the first line search had to cut deeply.
  bool best_start = true;
};

class Descent {
 public:
  explicit Descent(DescentOptions options) : options_(options) {}
  SolveReport run(Problem& problem, std::vector<double>& y, const StopRule& stop, DescentMethod& method,
                  Solver& solver);
  const DescentOptions& options() const { return options_; }

 private:
  class Run;

  DescentOptions options_;
  DescentWorkspace work_;
  RigidStart rigid_;
  EnergyGuard guard_;
  std::vector<double> rigid_start_, anchor_;  // where contact lets it be reached; as it is
};

}  // namespace resilin
