// An open question of Ledwon 2024: where does the dearer iteration of QN pay? Its line search costs an evaluation
// only where a full step fails. Evaluations to a given error, of QN with and without search and of PD, over k h^2,
// strain and simplified neo-Hookean, from the twisted beam and from one whose vertices are scattered.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

// Evaluations of the objective until the error is at most `target`; 0: never.
int evaluations_to(const SolveReport& report, double minimum, double target) {
  int sum = 0;
  for (std::size_t i = 0; i < report.trace.size(); ++i) {
    sum += report.trace[i].evaluations;
    if (lab::error_at(report, static_cast<int>(i), minimum) <= target) return std::max(sum, 1);
  }
  return 0;
}

struct Tally {
  int cases = 0, search_fails = 0, plain_fails = 0;
  lab::Worst worst_per_iteration;
};

std::string shown(int count) { return count > 0 ? std::to_string(count) : "never"; }

lab::OneStage start(const lab::BeamOptions& o, double noise) {
  Model model = lab::ledwon_model(o);
  auto q = lab::twisted(model.rest, o.twist);
  lab::Random random(1);
  for (double& x : q) x += noise * random.uniform(-1, 1);
  return lab::stage_from_rest(std::move(model), q, o.step, 1);
}

void run_case(const Settings& s, const std::string& material, int power, double noise, Tally& tally,
              Findings& findings, std::vector<std::vector<std::string>>& rows) {
  lab::BeamOptions o;
  o.cells = s.integer("cells"), o.material = material, o.step = 1e-2, o.stiffness = std::pow(10.0, power + 4);
  lab::OneStage stage = start(o, noise);
  std::vector<double> y;
  lab::Least minimum = stage.minimum(y, 1e-10);
  const int n = s.integer("iterations");
  std::vector<lab::Run> runs = {
      lab::traced(stage, "QN", "quasi_newton", {}, n),
      lab::traced(stage, "QN without search", "quasi_newton", {{"line_search", false}}, n)};
  if (material == "arap") runs.push_back(lab::traced(stage, "PD", "projective_dynamics", {}, n));
  for (const lab::Run& one : runs)  // from scattered vertices there may be several minima
    if (std::isfinite(one.curve.report.objective)) minimum.see(one.curve.report.objective);
  rows.push_back(lab::cells("{} | 1e{}", material + (noise > 0 ? ", scattered" : ", twisted"), power));
  for (const double target : {1e-2, 1e-6})
    for (std::size_t k = 0; k < 3; ++k)
      rows.back().push_back(k < runs.size() ? shown(evaluations_to(runs[k].curve.report, minimum, target)) : "-");
  const SolveReport& qn = runs[0].curve.report;
  // Before the end: there trial points differ by rounding only (X11).
  const int reached = lab::iterations_to(lab::relative_errors(qn, minimum), 1e-6);
  const double per_iteration = static_cast<double>(evaluations_to(qn, minimum, 1e-6)) / std::max(1, reached);
  rows.back().push_back(fmt::format("{:.2f}", per_iteration));
  ++tally.cases;
  tally.worst_per_iteration.see(per_iteration);
  tally.search_fails += evaluations_to(qn, minimum, 1e-6) == 0;
  tally.plain_fails += evaluations_to(runs[1].curve.report, minimum, 1e-6) == 0;
  if (power == 4) lab::plot_errors(findings, rows.back()[0] + ", k h^2 = 1e4", lab::curves(runs), minimum);
}

void run(const Settings& s, Findings& findings) {
  std::vector<std::vector<std::string>> rows;
  for (const char* material : {"arap", "simplified_neo_hookean"})
    for (const double noise : {0.0, s.number("noise")}) {
      Tally tally;
      for (int power = s.integer("first_power"); power <= s.integer("last_power"); ++power)
        run_case(s, material, power, noise, tally, findings, rows);
      const std::string at = std::string(material) + (noise > 0 ? ", scattered: " : ", twisted: ");
      const std::string what = at + "cases in which QN does not reach 1e-6";
      if (noise > 0) findings.report(what, tally.search_fails, fmt::format("of {}", tally.cases));
      else findings.near(what, 0, tally.search_fails, 0);
      findings.report(at + "cases in which QN without search does not reach 1e-6", tally.plain_fails,
                      fmt::format("of {}", tally.cases));
      findings.at_most(at + "most evaluations per iteration of QN on the way to 1e-6", 3, tally.worst_per_iteration,
                       "thesis: an iteration costs almost twice that of PD");
    }
  findings.table("Evaluations of the objective to an error",
                 lab::split_cells("material | k h^2 | QN 1e-2 | no search 1e-2 | PD 1e-2 | QN 1e-6 | no search "
                                  "1e-6 | PD 1e-6 | QN per iteration"),
                 rows);
}

}  // namespace

ExperimentPlugin experiment_ledwon2024_line_search() {
  return {.title = "Cost and benefit of the line search of quasi-Newton",
          .source = "ledwon2024",
          .shows = "Section 3.8, open question",
          .doc = "Evaluations to an error of 1e-2 and 1e-6 over k h^2, with and without search, and PD.",
          .params = {integer("cells", 2, between(1, 24), "cells across the beam"),
                     number("noise", "m", 0.5, positive(), "amplitude of the random displacements"),
                     integer("iterations", 1000, between(10, 100000), "iterations of every run, at most"),
                     integer("first_power", 0, between(-6, 12), "least power of ten of k h^2"),
                     integer("last_power", 7, between(-6, 12), "largest power of ten of k h^2")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
