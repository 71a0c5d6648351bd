// E98: steps from 1e-5 to 1 s and stiffness from 1 to 1e12 Pa: every solver stays finite and says truthfully
// whether it converged. Judged from the positions alone: the gradient there against that at the guess, or the
// distance to Newton's minimiser, where the guess is the minimiser but for rounding (small steps, soft bodies) and
// its gradient cannot fall.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

struct Tally {
  std::string solver;
  int broken = 0, converged = 0, limited = 0, other = 0, wrong = 0, modest = 0;
};

constexpr double tolerance = 1e-6;  // of the gradient, as asked of the solvers
constexpr double rounding = 1e-12;  // of positions, over the size of the body

double gradient_size(lab::OneStage& stage, const std::vector<double>& y) {
  std::vector<double> g(y.size());
  stage.system().problem().evaluate(y.data(), g.data());
  double squares = 0;
  for (const double x : g) squares += x * x;
  return std::sqrt(squares);
}

bool at_minimum(lab::OneStage& stage, const std::vector<double>& y, const std::vector<double>& minimiser) {
  if (gradient_size(stage, y) <= tolerance * gradient_size(stage, stage.stage().guess)) return true;
  return lab::largest_difference(y, minimiser) <= rounding * stage.system().space().model_size();
}

void count(lab::OneStage& stage, const std::vector<double>& minimiser, int iterations, Tally& tally) {
  std::vector<double> y;
  const auto solver = lab::make_solver(tally.solver, lab::with_double_factor(tally.solver, {}));
  const SolveReport report = stage.solve(*solver, {.iterations = iterations, .gradient = tolerance}, y);
  tally.broken += !lab::all_finite(y) || report.status == Status::not_finite;
  tally.converged += report.status == Status::converged;
  const bool unfinished = report.status == Status::iteration_limit || report.status == Status::stalled;
  tally.limited += unfinished;
  tally.other += report.status != Status::converged && !unfinished;
  const bool there = at_minimum(stage, y, minimiser);
  tally.wrong += report.status == Status::converged && !there;
  tally.modest += unfinished && there;
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
      stage.minimum(y, 1e-10);
      for (Tally& tally : tallies) count(stage, y, s.integer("iterations"), tally);
    }
  findings.differs_because(
      "the row \"neither converged nor said not to be\" counts `stalled` as said: before that status existed, "
      "solves that end at round-off were called converged");
  findings.report("combinations of step and stiffness", cases);
  for (const Tally& tally : tallies) {
    findings.near(tally.solver + ": not finite", 0, tally.broken, 0);
    findings.near(tally.solver + ": said converged and were not", 0, tally.wrong, 0);
    findings.near(tally.solver + ": neither converged nor said not to be", 0, tally.other, 0);
    findings.report(tally.solver + ": converged", tally.converged);
    findings.report(tally.solver + ": ended at the limit of iterations or of round-off", tally.limited);
    findings.report(tally.solver + ": of these at the minimum by the same measure", tally.modest);
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
