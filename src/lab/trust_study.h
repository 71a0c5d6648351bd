// Is a run right, and does it say so? A scene is run step by step with a given solver and measured against a
// converged run of the same scene: distance, energy made, steps that end worse than not moving, evaluations and
// processor time. One thread.
#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "lab/experiment.h"
#include "lab/setup.h"
#include "resilin/scene.h"

namespace resilin::lab {

// ---- the ways to solve, as JSON; no other file of this study knows the solvers' settings

/// Ten iterations from the inertial target: the method of Liu et al. 2017 and the default up to now.
std::string paper_solver();
/// The default as it is now; `extra` replaces single settings.
std::string default_solver(const Values& extra = {});
/// Above this Newton takes hours.
constexpr int newton_limit = 5000;  // vertices
/// Quasi-Newton to a thousandth of the default tolerance.
std::string tight_solver();
/// Converged: Newton; above newton_limit the tight one.
std::string reference_solver(int vertices = 0);
constexpr double default_tolerance = 0.25;  // acceleration error over size [1/s^2]
/// The same with `tolerance` and `iterations` of an experiment, if they were given.
std::string default_solver(const Settings& s, const Values& extra = {});
/// These two.
Params stated_params();

struct StageSolver {
  std::unique_ptr<Solver> solver;
  StopRule stop;
};
StageSolver stage_solver(const std::string& json);
/// Of the scene's "solver" or "integrator".
std::string type_of(const Scene& scene, const std::string& key);
Scene with_solver(Scene scene, const std::string& json);

// ---- one step

/// Whether Phi(y) is above Phi at the state before the step with its pins moved; y: where a step of backward Euler
/// ended.
bool worse_than_not_moving(DynamicSystem& system, const State& before, double h, const std::vector<double>& y);
/// sqrt(2 (Phi(y) - Phi*)/m) / (h size) [1/s^2]: velocity that is wrong, by energy, per step and size. Phi* is what
/// `reference` reaches from y, size the diagonal of the rest shape's bounding box: for scenes of one body.
double true_error(DynamicSystem& system, const State& before, double h, const std::vector<double>& y,
                  StageSolver& reference);
/// Whether the exact Hessian of Phi there is not positive definite: a plateau, from which a body snaps one way or
/// another.
bool at_saddle(DynamicSystem& system, const State& before, double h, const std::vector<double>& y);

// ---- runs

struct TrustRun {
  std::vector<std::vector<double>> positions;  // by frame; shorter than asked when a step was not finite
  std::vector<double> mass;                    // [kg]
  double size = 0;                             // Model::size() [m]
  std::string solver;                          // its type
  std::vector<Status> statuses;                // by step
  bool finite = true;
  double elastic = 0;  // largest of all frames [J]
  double stored = 0;   // the same with kinetic energy
  double made = 0;     // energy out of nothing: sum of the ledger's gains [J]
  int worse = 0;       // steps that end worse than not moving; backward Euler only
  int evaluations = 0, iterations = 0;
  double cpu = 0;                         // [s] in steps after the first, which makes the factors
  std::array<double, 2> extent = {0, 0};  // lowest and highest along `up` in the last frame [m]
  int vertices() const { return static_cast<int>(mass.size()); }
  int unconverged() const;
};

struct TrustOptions {
  int frames = 30;
  double perturbation = 0;  // of the first positions, over size: which way a body buckles
  int threads = 1;          // 0: all cores
  bool energies = true;     // ledger and worse: a few evaluations per step, outside of the processor time
};
/// With the scene's own solver.
TrustRun trust_run(const Scene& scene, const TrustOptions& options);
/// The reference. Where steps of Newton's do not converge (its Hessian leaves out a part of some damping) the tight
/// solver runs too, and the better of them counts.
TrustRun converged_run(const Scene& scene, const TrustOptions& options);

/// Lowest and highest coordinate along an axis.
std::array<double, 2> extent(const std::vector<double>& q, int axis);
/// Root mean square distance by mass of vertices first .. first + count - 1 of `run` to the vertices of `reference`
/// that begin with `reference_first`, largest over frames [m]; infinite when one of the runs ended early.
struct VertexRange {
  int first = 0, count = 0, reference_first = 0;
};
double part_distance(const TrustRun& run, const TrustRun& reference, const VertexRange& part);
/// The same of everything, over size.
double trajectory_error(const TrustRun& run, const TrustRun& reference);

/// Ours, the paper's and the converged run of one scene.
struct TrustComparison {
  TrustRun ours, paper, reference;
  double error = 0, paper_error = 0;
  /// Error of a second converged run that starts 1e-6 of the size beside the first; NaN: not asked, since ours is
  /// near enough.
  double spread = std::numeric_limits<double>::quiet_NaN();
  /// Two converged runs go different ways: no run can be called wrong for going a third.
  bool buckles() const { return std::isfinite(spread) && spread > 0.01; }
  double elastic_error() const;  // of the largest elastic energy, relative
  double height_error() const;   // of the height in the last frame, relative
  double cpu_ratio() const { return ours.cpu / paper.cpu; }
  double evaluation_ratio() const { return static_cast<double>(ours.evaluations) / paper.evaluations; }
  std::string note() const;
  /// The error against its bound; of a body that buckles energy and height in place of it. False: it buckles.
  bool judge(const std::string& name, double bound, Findings& findings) const;
};
/// `doubtful`: above this error, or 3 % of the elastic energy, the second reference is run.
TrustComparison compare_to_converged(const Scene& scene, const std::string& ours, int frames, double doubtful);
/// Error of the second converged run.
double reference_spread(const Scene& scene, const TrustRun& reference);
/// The sentence about references that are not Newton's.
std::string large_reference_text();

double median_of(std::vector<double> values);

}  // namespace resilin::lab
