// E98: steps from 1e-5 to 1 s and stiffness from 1 to 1e12 Pa: every solver stays finite and says truthfully whether it converged.
#include <algorithm>
#include <cmath>

#include "lab/experiment.h"
#include "lab/ledwon_beam.h"
#include "resilin/registry.h"
#include "solvers/iterations.h"

namespace resilin {
namespace {

struct Tally {
  std::string solver;
  int broken = 0, converged = 0, limited = 0, other = 0, wrong = 0;
};

// "converged" means: down to the tolerance, or to what rounding of positions or of the objective leaves.
bool truthful(const SolveReport& report, const Objective& objective, double round_off, double tolerance,
              double minimum) {
  return report.residual <= tolerance * report.first_residual || report.residual <= residual_floor(objective) ||
         report.objective - minimum <= round_off;
}

void count(lab::OneStage& stage, double minimum, int iterations, Tally& tally) {
  constexpr double tolerance = 1e-6;
  std::vector<double> y;
  const auto solver = lab::make_solver(tally.solver, lab::with_double_factor(tally.solver, {}));
  const SolveReport report = stage.solve(*solver, {.iterations = iterations, .gradient = tolerance}, y);
  const bool finite = std::all_of(y.begin(), y.end(), [](double x) { return std::isfinite(x); });
  tally.broken += !finite || report.status == Status::not_finite;
  tally.converged += report.status == Status::converged;
  const bool unfinished = report.status == Status::iteration_limit || report.status == Status::stalled;
  tally.limited += unfinished;
  tally.other += report.status != Status::converged && !unfinished;
  const double round_off = stage.objective().evaluate(y.data(), nullptr).round_off();
  tally.wrong +=
      report.status == Status::converged && !truthful(report, stage.objective(), round_off, tolerance, minimum);
}

void run(const Settings& s, Findings& findings) {
  std::vector<Tally> tallies;
  for (const auto& solver : registry<SolverPlugin>()) tallies.push_back({solver.name});
  lab::BeamOptions o;
  o.cells = s.integer("cells"), o.twist = s.number("twist");
  int cases = 0;
  for (int a = -5; a <= 0; ++a)
    for (int b = 0; b <= 12; ++b, ++cases) {
      o.step = std::pow(10.0, a), o.stiffness = std::pow(10.0, b);
      lab::OneStage stage = lab::released_beam(o);
      std::vector<double> y;
      const double minimum = stage.minimum(y, 1e-10);
      for (Tally& tally : tallies) count(stage, minimum, s.integer("iterations"), tally);
    }
  findings.differs_because(
      "the row \"neither converged nor said not to be\" counts `stalled` as said: solves that end at round-off "
      "were called converged "
      "before that status existed");
  findings.report("combinations of step and stiffness", cases);
  for (const Tally& tally : tallies) {
    findings.near(tally.solver + ": not finite", 0, tally.broken, 0);
    findings.near(tally.solver + ": said converged and were not", 0, tally.wrong, 0);
    findings.near(tally.solver + ": neither converged nor said not to be", 0, tally.other, 0);
    findings.report(tally.solver + ": converged", tally.converged);
    findings.report(tally.solver + ": ended at the limit of iterations or of round-off", tally.limited);
  }
}

}  // namespace

ExperimentPlugin experiment_E98() {
  return {.title = "Solves stay finite and report their status for any step and stiffness",
          .source = "ledwon2024",
          .shows = "Section 3.8",
          .doc = "The released beam for 6 x 13 combinations by every registered solver.",
          .params = {integer("cells", 2, between(1, 24), "cells across the beam"),
                     number("twist", "degrees", 180, any_number(), "twist of the start"),
                     integer("iterations", 200, between(1, 1000000), "iterations of every solve, at most")},
          .quick = Quick{.set = {{"cells", 1}}},
          .run = run};
}

}  // namespace resilin
