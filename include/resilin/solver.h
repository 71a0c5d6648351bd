// A solver minimises the Problem of a stage. It never knows materials; what it needs and a term lacks it reports
// when the simulation is built.
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

class Problem;

/// When to stop: the same for every solver.
///
/// The error of a connected component c at y is an acceleration over its size, a_c / size_c [1/s^2], with
///   a_c = sqrt(g_c . B g_c / m_c) / tau,    g = grad Phi(y), B the solver's approximation of the inverse Hessian
///   there,
///   size_c: the diagonal of its rest bounding box.
/// g . B g is about 2 (Phi - Phi*), so a_c is the error as a velocity, over the step. It means the same at every
/// scale, step and start.
struct StopRule {
  int iterations = 10;
  // Of that error; 0: none. Besides, g . B g must be small against the energy of the component.
  double tolerance = 0;
  // Where it is positive it replaces the tolerance: stop when |g| has fallen by this factor (Liu et al.).
  double gradient = 0;
  double seconds = 0;  // wall-clock budget of a stage; 0: none
  const std::atomic<bool>* cancel = nullptr;
};

/// One iteration, measured by the shared recorder with the clock paused.
struct IterationRecord {
  double objective = 0, inertia = 0, potential = 0;  // [J]
  double force_residual = 0;  // |grad Phi| [N]; where inequalities hold, without their forces
  double step_length = 1;
  int evaluations = 0;       // of the objective, in this iteration
  double seconds = 0;        // since the start of the stage
  double infeasibility = 0;  // how deep a vertex is inside of a hard obstacle [m]
};

/// Wall-clock seconds by phase. Each second is in one of them: together they are the solve.
struct Phases {
  double local = 0;        // energies, gradients, projections
  double global = 0;       // factors and their solves
  double line_search = 0;  // trial points after the first
  // Two-level: set-up of the coarse space, its Hessian once per stage, the correction in every iteration.
  double coarse = 0;
  double history = 0;  // pairs of L-BFGS, acceleration
  double contact = 0;  // detection, lists, energies outside of the partition, limits of steps
  double other = 0;
  double total() const { return local + global + line_search + coarse + history + contact + other; }
  Phases& operator+=(const Phases& more);
};

struct SolveReport {
  Status status = Status::converged;
  int iterations = 0, evaluations = 0;
  int line_searches = 0;  // trial points in all line searches
  int factorisations = 0;
  double residual = 0, first_residual = 0, objective = 0;  // residual: forces out of balance, |grad Phi| [N]
  double error = -1;         // as in StopRule, of the worst component [1/s^2]; negative: not measured
  int worst = -1;            // that component
  double infeasibility = 0;  // how deep a vertex ended inside of a hard obstacle [m]
  Phases phases;
  std::vector<IterationRecord> trace;  // only when tracing
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// Throws InputError when a term of the problem lacks what this solver needs, naming both and what to use
  /// instead.
  virtual void check(const Problem&) const {}
  /// Whether each row of unknowns must be a vertex; if not, it may be a row of a subspace (resilin/reduction.h).
  virtual bool needs_vertices() const { return true; }
  /// Minimises the stage that `problem` has begun from y (pinned vertices already in place); y holds where it has
  /// ended: the best point found, of methods that descend.
  SolveReport solve(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop);
  /// Records every iteration in SolveReport::trace.
  bool tracing = false;
  /// Called with every iterate when set (experiments).
  std::function<void(const std::vector<double>& y, const IterationRecord& record)> observe;

 private:
  virtual SolveReport minimise(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) = 0;
};

struct SolverPlugin {
  std::string doc;
  Params params;
  std::function<std::unique_ptr<Solver>(const Settings&)> make;
  /// False: iterated for ever it ends near the minimiser of the objective and not at it, and where depends on the
  /// numbering of elements (PBD, XPBD).
  bool minimises = true;
};

/// Iterations, tolerance and budget: the parameters that every solver has. `iterations`: the limit where none is
/// given.
Params stop_params(int iterations);
StopRule stop_rule(const Settings& settings);

}  // namespace resilin
