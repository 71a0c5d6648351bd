// Solvers against each other on one stage: a scene is advanced to a frame by a converged reference, the first stage
// of its next step is set up as its integrator would, and every configuration minimises that same Objective from
// the same guess. Errors are measured against the minimum that Newton finds; the clock stands still meanwhile. In a
// scene with "reduction" a configuration may also move handles in place of vertices; it is then measured by the
// same function of all vertices. Used by `resilin compare`.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "resilin/scene.h"

namespace resilin::lab {

/// What moves (Brandt et al. 2018): all vertices; handles, with all elements evaluated; handles, with sampled
/// elements.
enum class Unknowns { full, subspace, reduced };
/// "full", "subspace", "reduced"
const char* name(Unknowns unknowns);

/// "quasi_newton:history=5,line_search=false": a solver with its parameters. "unknowns=subspace" among them chooses
/// what moves.
struct Configuration {
  std::string name;  // as it was written
  std::string solver;
  Settings settings;                      // checked, defaults filled in
  std::optional<Unknowns> unknowns = {};  // none: as the scene has it
};
/// Throws InputError at `--solver TEXT` that suggests the nearest names.
Configuration parse_configuration(const std::string& text);

struct CompareOptions {
  std::vector<Configuration> configurations;  // empty: default_configurations(scene)
  int frame = 10;                             // frames that are simulated before
  int iterations = 30;                        // for configurations that do not say
  double tolerance = 1e-9;                    // the same
  double budget = 0;                          // the same [s]; 0: none
  int repeat = 3;                             // timed runs; times are medians over them
  int threads = 0;
};

/// After so many iterations (0: the guess).
struct TracePoint {
  IterationRecord record;     // seconds: median over the repetitions
  double relative_error = 0;  // (Phi - Phi*) / (Phi_0 - Phi*)
  double distance = 0;        // from the reference's vertices, root mean square [m]
};

struct Contender {
  Configuration configuration;
  SolveReport report;
  double setup_seconds = 0;  // what a steady run pays once: the factor, symbolic analysis
  std::vector<TracePoint> trace;
  std::vector<double> y;   // where it ended
  std::uint64_t hash = 0;  // of y and of the objective at every iteration
  double seconds() const { return trace.empty() ? 0 : trace.back().record.seconds; }
  double error() const { return trace.empty() ? 1 : trace.back().relative_error; }
};

class ReducedRun;

struct Comparison {
  Comparison();
  Comparison(Comparison&&) noexcept;
  ~Comparison();
  Scene scene;
  int frame = 0;
  std::string integrator;
  std::unique_ptr<Simulation> simulation;  // at the frame; its objective is at the stage
  Stage stage;
  Status advance = Status::converged;  // not_finite: the frame could not be reached, and nothing else is filled in
  int loose_frames = 0;                // frames on the way in which the reference did not converge
  SolveReport reference;               // its minimum is `reference.objective`
  double first_objective = 0;          // at the guess
  bool idle = false;                   // the guess is the minimum, as in free fall: relative errors are zero
  std::vector<double> minimum;         // the reference's positions
  std::vector<Contender> contenders;
  /// Of a scene with "reduction": all three ways along the frames before (lab/compare_reduction.h).
  std::vector<std::unique_ptr<ReducedRun>> runs;
  std::vector<std::string> skipped;  // default configurations that cannot take the scene, and why
};

/// Throws InputError for a frame beyond the run and for a solver that cannot take the scene's terms.
Comparison compare(const Scene& scene, const CompareOptions& options);

/// Every registered solver with its default parameters, and quasi_newton without history; of a scene with
/// "reduction" its own solver in three ways.
std::vector<Configuration> default_configurations(const Scene& scene);

}  // namespace resilin::lab
