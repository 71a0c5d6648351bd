// The beam of Ledwon 2024 (Section 3.8): one step from a twisted state by his four solvers. He prints neither size
// nor density nor angle of his beam, so the beam is S-BEAM of setup.h, twisted by 180 degrees.
#pragma once
#include <string>
#include <vector>

#include "lab/figures.h"
#include "lab/setup.h"

namespace resilin::lab {

struct BeamOptions {
  int cells = 2;           // across: 81 vertices; 3: 208, 6: 1225
  double stiffness = 1e8;  // [Pa] k of strain, or Young's modulus
  double step = 1e-2;      // [s]
  std::string material = "arap";
  double density = 1000;
  double twist = 180;  // [degrees]
};
Model ledwon_model(const BeamOptions& options);
/// Released at rest from a linear twist.
Study released_beam(const BeamOptions& options);

/// Twisted by `turns` converged quasi-Newton steps with soft pins at both ends that turn in opposite directions, as
/// in Fig. 3.1.
struct PreparedBeam {
  BeamOptions options;
  std::vector<double> q;
  int unfinished = 0;  // steps that neither converged nor came down to round-off
};
PreparedBeam prepare_beam(const BeamOptions& options, int turns);
/// The next step from rest, without pins.
Study release(const PreparedBeam& beam);
/// The next step from rest, with pins that go on by `degrees`.
Study twist_further(const PreparedBeam& beam, double degrees);

/// One traced solve.
struct Run {
  Curve curve;
  std::vector<double> y;
};
Run traced(Study& stage, const std::string& name, const std::string& solver, const Values& params, int iterations);
/// QN, ADMM, PD (where the energy is projective) and XPBD. `weight`: c of plain ADMM; 0: by the solver's own rule.
std::vector<Run> thesis_runs(Study& stage, int iterations, double weight);
/// The c of 0.1, 0.2, ... 1 with which plain ADMM is first below an error of 1 % for good, as one would choose it
/// in Fig. 3.3.
double best_weight(Study& stage, double minimum, int iterations = 200);
/// A stage by the four of them, plain ADMM with its best weight.
struct ThesisCase {
  Study stage;
  std::vector<double> minimiser;
  double minimum = 0, weight = 0;
  std::vector<Run> runs;
  double error(std::size_t run, int iteration) const;
};
ThesisCase thesis_case(Study stage, int iterations);
std::vector<Curve> curves(const std::vector<Run>& runs);
/// At an iteration, or at the last one when the solver ended before.
const IterationRecord& record_at(const SolveReport& report, int iteration);
double error_at(const SolveReport& report, int iteration, double minimum);

/// Elastic and inertial part by iteration, as Figs. 3.5 and 3.9.
void plot_parts(Findings& findings, const std::string& title, const std::vector<Run>& runs, int iterations);
/// Objective by iteration, as Figs. 3.4 and 3.8.
void plot_objective(Findings& findings, const std::string& title, const std::vector<Run>& runs, int iterations);

/// Angle in degrees by which the ends of the beam have turned back towards each other between two states.
double untwisted(const TetMesh& beam, const std::vector<double>& from, const std::vector<double>& to);
/// Largest distance of a vertex.
double farthest(const std::vector<double>& a, const std::vector<double>& b);
/// Share of |x - y|_M^2 that a rigid motion of y removes.
double rigid_share(const std::vector<double>& mass, const std::vector<double>& x, const std::vector<double>& y);

/// Parameters that most of these experiments have.
Params beam_params(double stiffness, double step, int iterations, int cells = 2);
/// These, and more.
Params beam_params(double stiffness, double step, int iterations, int cells, const Params& more);
BeamOptions beam_options(const Settings& s);

}  // namespace resilin::lab
