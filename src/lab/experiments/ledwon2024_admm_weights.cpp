// An open question of Ledwon 2024: how do the weights of ADMM depend on the time step? Only through k h^2/(rho
// w^2), like all else (X44): the stiffer against inertia, the smaller the best c. Best of a fine scan, for 12
// decades, against the solver's own rule, which takes no scan.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"
#include "solvers/local/admm_weights.h"

namespace resilin {
namespace {

// Iterations after which ADMM stays below 1 %.
int needed(lab::OneStage& stage, const lab::Values& params, double minimum, int iterations) {
  const auto errors =
      lab::relative_errors(lab::traced(stage, "", "admm", params, iterations).curve.report, minimum);
  std::size_t n = errors.size();
  while (n > 0 && std::abs(errors[n - 1]) <= 0.01) --n;
  return static_cast<int>(n);
}

struct Best {
  double weight = 0, rule = 0;
  int needed = 0, needed_rule = 0, needed_default = 0;
};

Best scan(lab::OneStage& stage, int iterations) {
  std::vector<double> y;
  const double minimum = stage.minimum(y, 1e-10);
  Best best;
  best.needed = iterations + 2;
  for (double c = 0.02; c < 2.5; c *= std::pow(2.0, 0.25)) {
    const int n = needed(stage, {{"weight", c}, {"acceleration", 0}}, minimum, iterations);
    if (n < best.needed) best.needed = n, best.weight = c;
  }
  best.needed_rule = needed(stage, {{"acceleration", 0}}, minimum, iterations);
  best.needed_default = needed(stage, {}, minimum, iterations);
  const ElementWeights stiffness = admm_stiffness(stage.system().problem());
  best.rule = std::sqrt(automatic_weights(stage.system().problem(), stiffness)[0][0] / stiffness[0][0]);
  return best;
}

Plot sweep(const Settings& s, bool further, Findings& findings) {
  lab::BeamOptions o;
  o.cells = s.integer("cells");
  lab::PreparedBeam beam = lab::prepare_beam(o, 20);
  const std::string setting = further ? "twisted further" : "released";
  Plot plot = lab::loglog("Best c of ADMM, " + setting, "k h^2 [kg/m]", "c",
                          {{"best of a scan", {}, {}}, {"rule", {}, {}}});
  std::vector<double> weights;
  for (int power = s.integer("first_power"); power <= s.integer("last_power"); ++power) {
    beam.options.step = 1e-2, beam.options.stiffness = std::pow(10.0, power + 4);
    lab::OneStage stage = further ? lab::twist_further(beam, 9) : lab::release(beam);
    const Best best = scan(stage, s.integer("iterations"));
    weights.push_back(best.weight);
    plot.series[0].x.push_back(std::pow(10.0, power)), plot.series[0].y.push_back(best.weight);
    plot.series[1].x.push_back(std::pow(10.0, power)), plot.series[1].y.push_back(best.rule);
    findings.table_row(lab::cells("{} | 1e{} | {:.2f} | {} | {:.2f} | {} | {}", setting, power, best.weight,
                                  best.needed, best.rule, best.needed_rule, best.needed_default));
    findings.report(fmt::format("{}, k h^2 = 1e{}: best c", setting, power), best.weight,
                    fmt::format("{} iterations to 1 %; by the rule c = {:.2f}, {}; accelerated {}", best.needed,
                                best.rule, best.needed_rule, best.needed_default));
  }
  if (!further)
    findings.at_least("released: best c at the least k h^2 / at the largest", std::pow(2.0, 0.25),
                      weights.front() / weights.back(),
                      "smaller weights for larger steps, as the thesis says; at least a step of the scan");
  return plot;
}

void run(const Settings& s, Findings& findings) {
  lab::begin_table(
      findings, "Best weights of plain ADMM",
      "setting | k h^2 | best c | iterations to 1 % | c by the rule | iterations to 1 % | accelerated");
  for (const bool further : {false, true}) findings.plot(sweep(s, further, findings));
}

}  // namespace

ExperimentPlugin experiment_ledwon2024_admm_weights() {
  return {.title = "The best weight of ADMM falls with k h^2",
          .source = "ledwon2024",
          .shows = "Section 3.8, open question",
          .doc = "A scan of c for every decade of k h^2, released and twisted further, and the solver's own rule.",
          .params = {integer("cells", 2, between(1, 24), "cells across the beam"),
                     integer("iterations", 300, between(10, 100000), "iterations of every run, at most"),
                     integer("first_power", 0, between(-6, 12), "least power of ten of k h^2"),
                     integer("last_power", 8, between(-6, 12), "largest power of ten of k h^2")},
          .quick = Quick{.set = {{"cells", 1}}},
          .run = run};
}

}  // namespace resilin
