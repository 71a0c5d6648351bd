// E67: weights of ADMM on the untwisting beam of Ledwon 2024, Fig. 3.3: S-BEAM, PD strain k = 1e8, one step. Plain ADMM with
// w = c sqrt(k V) depends on c and on the step size in opposite ways; with c = 1 it is nearly projective dynamics (X44).
//
// "Within 1.25 at each iteration" needs an end: at h = 1e-3 the two converge by 0.263 and 0.254 an iteration, so that the ratio of their errors
// grows by 1.035 an iteration without bound. It is judged as long as the error is above 1e-6, which is what is asked of ADMM elsewhere, and
// reported down to 1e-9 (1.30 at h = 1e-3).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/experiment.h"
#include "lab/figures.h"
#include "lab/setup.h"
#include "lab/worst.h"

namespace resilin {
namespace {

struct Runs {
  std::vector<double> last;                          // relative error at the end for c = 0.1, 0.2, ... 1
  std::vector<int> needed;                           // iterations to 1 %
  lab::Worst over_projective, over_projective_late;  // down to 1e-6 and to 1e-9
  lab::Plot plot;
};

std::string label(int tenths) { return "c = " + std::to_string(0.1 * tenths).substr(0, 3); }

std::vector<double> errors(lab::OneStage& stage, const std::string& solver, const lab::Values& params,
                           int iterations, double minimum) {
  const auto made = lab::make_solver(solver, lab::with_double_factor(solver, params));
  made->tracing = true;
  std::vector<double> y;
  return lab::relative_errors(stage.solve(*made, {.iterations = iterations, .tolerance = 0}, y), minimum);
}

Runs run_weights(const Settings& s, double step) {
  Model model =
      lab::solid(lab::beam_mesh(s.integer("cells")), 1000, "arap", {{"stiffness", s.number("stiffness")}});
  const auto q = lab::twisted(model.rest, 180);
  lab::OneStage stage(std::move(model), q, std::vector<double>(q.size(), 0.0), step);
  std::vector<double> y;
  const double minimum = stage.minimum(y, 1e-10);
  const int iterations = s.integer("iterations");
  Runs out;
  out.plot = {fmt::format("Fig. 3.3, h = {:.0e} s", step), "iteration", "relative error", false, true, {}};
  for (int i = 1; i <= 10; ++i) {
    const auto e = errors(stage, "admm", {{"weight", 0.1 * i}, {"acceleration", 0}}, iterations, minimum);
    out.last.push_back(e.back());
    out.needed.push_back(lab::iterations_to(e, 0.01));
    out.plot.series.push_back(lab::counted(label(i), e));
    if (i < 10) continue;
    const auto projective = errors(stage, "projective_dynamics", {}, iterations, minimum);
    for (std::size_t k = 1; k < e.size() && projective[k] > 1e-9; ++k) {
      out.over_projective_late.see(e[k] / projective[k]);
      if (projective[k] > 1e-6) out.over_projective = out.over_projective_late;
    }
  }
  return out;
}

void run(const Settings& s, Findings& findings) {
  const Runs large = run_weights(s, 1e-2), small = run_weights(s, 1e-3);
  findings.plot(large.plot);
  findings.plot(small.plot);
  for (int i = 0; i < 10; ++i)
    findings.report("h = 1e-2, " + label(i + 1) + ": relative error at the end", large.last[i]);
  findings.at_least("h = 1e-2, c = 0.1: relative error at the end", 1, large.last[0],
                    "above the start; independent program 1.57");
  const auto best = std::min_element(large.needed.begin(), large.needed.end()) - large.needed.begin();
  findings.between("h = 1e-2: the c that is first below 1 %", 0.3, 0.5, 0.1 * static_cast<double>(best + 1));
  for (int i = 0; i < 10; ++i) {
    const std::string what = "h = 1e-3, " + label(i + 1) + ": relative error at the end";
    if (i < 4) findings.at_least(what, 0.1, small.last[i], "stalls; independent program 0.16 to 0.64");
    else if (i >= 6) findings.at_most(what, 1e-3, small.last[i], "converges");
    else findings.report(what, small.last[i]);
  }
  const auto track = [&](const std::string& step, const Runs& runs) {
    const std::string what = step + ", c = 1: error over that of projective dynamics, every iteration";
    findings.at_most(what + " to 1e-6", 1.25, runs.over_projective);
    findings.report(what + " to 1e-9", runs.over_projective_late, "grows with every iteration, see the file");
  };
  track("h = 1e-2", large), track("h = 1e-3", small);
}

}  // namespace

ExperimentPlugin experiment_E67() {
  return {.title = "Weights of ADMM depend on the time step",
          .source = {"ledwon2024", "brown2018"},
          .shows = "Fig. 3.3",
          .doc = "Plain ADMM on the untwisting beam with c = 0.1 to 1 of sqrt(k V), for two step sizes.",
          .params = {integer("cells", 2, between(1, 12), "cells across the beam"),
                     number("stiffness", "Pa", 1e8, positive(), "k of the strain energy"),
                     integer("iterations", 100, between(4, 100000), "iterations of every run")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
