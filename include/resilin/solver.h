// A solver minimises the Objective of a stage. It never knows materials; what it needs and a term lacks it reports when the
// simulation is built.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "resilin/errors.h"
#include "resilin/params.h"
#include "resilin/state.h"

namespace resilin {

class Objective;

/// When to stop. The tolerance is relative to the gradient norm at the start of the stage.
struct StopRule {
  int iterations = 10;
  double tolerance = 1e-3;
  double seconds = 0;                           // wall-clock budget of a stage; 0: none
  const std::atomic<bool>* cancel = nullptr;
};

/// One iteration, measured by the shared recorder with the clock paused.
struct IterationRecord {
  double objective = 0, inertia = 0, potential = 0;  // [J]
  double force_residual = 0;                         // |grad Phi| [N]
  double step_length = 1;
  int evaluations = 0;  // of the objective, in this iteration
  double seconds = 0;   // since the start of the stage
};

/// Wall-clock seconds by phase.
struct Phases {
  double local = 0, global = 0, line_search = 0, other = 0;
  double coarse = 0;  // two-level: set-up of the coarse space, its Hessian once per stage, the correction in every iteration
};

struct SolveReport {
  Status status = Status::converged;
  int iterations = 0, evaluations = 0;
  int line_searches = 0;     // trial points in all line searches
  int factorisations = 0;
  double residual = 0, first_residual = 0, objective = 0;
  Phases phases;
  std::vector<IterationRecord> trace;  // only when tracing
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// Throws InputError when a term of the objective lacks what this solver needs, naming both and what to use instead.
  virtual void check(const Objective&) const {}
  /// Minimises from y (pinned vertices already in place); y holds the best point found.
  virtual SolveReport solve(Objective& objective, const Stage& stage, std::vector<double>& y, Memory& memory, const StopRule& stop) = 0;
  /// Records every iteration in SolveReport::trace.
  bool tracing = false;
  /// Called with every iterate when set (experiments).
  std::function<void(const std::vector<double>& y)> observe;
};

struct SolverPlugin {
  std::string doc;
  Params params;
  std::function<std::unique_ptr<Solver>(const Settings&)> make;
  /// False: iterated for ever it ends near the minimiser of the objective and not at it, and where depends on the numbering of
  /// elements (PBD, XPBD).
  bool minimises = true;
};

/// Iterations, tolerance and budget: the parameters that every solver has.
Params stop_params();
StopRule stop_rule(const Settings& settings);

}  // namespace resilin
