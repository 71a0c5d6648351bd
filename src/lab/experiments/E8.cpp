// E8: the window m of L-BFGS (Liu et al. Fig. 7) on the twisting neo-Hookean bar and on S-BEAM: any history beats
// none by a factor of ten after 40 iterations, five pairs are within three of the best and a hundred no better.
#include <fmt/format.h>

#include <algorithm>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/figures.h"
#include "lab/liu_scenes.h"
#include "lab/worst.h"
#include "simulation/solve_stage.h"

namespace resilin {
namespace {

constexpr int windows[] = {0, 2, 5, 20, 100};
// The factors of three were measured where errors print as 0.0000 %: below this all windows count as
// converged alike. Revised once (judgement): without it the row compares 3e-11 with 1e-12 on S-BEAM.
constexpr double converged = 5e-7;

struct Case {
  std::string name;
  std::vector<double> errors, early;  // one per window: after all iterations, and after 10
  std::vector<lab::Curve> curves;
  double minimum = 0;
};

Case study(const std::string& name, DynamicSystem& system, const Stage& stage, int iterations) {
  std::vector<double> y;
  const auto newton = lab::make_solver("newton", {{"hessian", "exact_first"}});
  lab::Least minimum = lab::solve_stage(*newton, system, stage, y, 300, 1e-9).objective;
  std::vector<SolveReport> reports;
  for (const int m : windows) {
    const auto solver = lab::make_solver("quasi_newton", {{"history", m}});
    solver->tracing = true;
    reports.push_back(lab::solve_stage(*solver, system, stage, y, iterations));
    minimum.see(reports.back().objective);
  }
  Case out{name, {}, {}, {}, minimum};
  for (const SolveReport& report : reports) {
    out.curves.push_back({fmt::format("m = {}", windows[out.curves.size()]), report});
    const auto errors = lab::relative_errors(report, minimum);
    out.errors.push_back(errors.back());
    out.early.push_back(errors[std::min<std::size_t>(10, errors.size() - 1)]);
  }
  return out;
}

Case beam(const Settings& s) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  const auto start = lab::twisted(mesh.vertices, s.number("twist"));
  const std::vector<double> still(start.size(), 0.0);
  lab::OneStage one(lab::solid(mesh, 1000, "arap", {{"stiffness", s.number("stiffness")}}), start, still,
                    s.number("beam_step"));
  return study("S-BEAM", one.system(), one.stage(), s.integer("iterations"));
}

// A frame in the middle of the motion.
Case bar(const Settings& s, const std::string& name) {
  const double h = 1.0 / 30;
  const auto simulation = lab::start_scene(lab::liu_scene(name, s.number("detail")), h, "quasi_newton", {});
  for (int frame = 0; frame < s.integer("frame"); ++frame) lab::advance(*simulation);
  const Stage stage = lab::euler_stage(simulation->system(), simulation->state(), h);
  return study(name, simulation->system(), stage, s.integer("iterations"));
}

// The factor of three holds after 40 iterations; earlier, windows differ as luck has it.
void ratio(Findings& findings, const std::string& quantity, double error, double reference, bool judged) {
  const double measured = std::max(error, converged) / std::max(reference, converged);
  const std::string note =
      fmt::format("errors below 5e-7 count as that; as measured {:.3g} / {:.3g}", error, reference);
  if (judged) findings.at_most(quantity, 3, measured, note);
  else findings.report(quantity, measured, note);
}

void run(const Settings& s, Findings& findings) {
  const std::string after = fmt::format(" after {} iterations", s.integer("iterations"));
  for (const Case& c : {bar(s, "twisting_bar"), bar(s, "twisting_bar_slow"), beam(s)}) {
    lab::plot_errors(findings, "Fig. 13: windows of L-BFGS, " + c.name, c.curves, c.minimum);
    findings.report(c.name + ": rel.err with m = 0" + after, c.errors[0]);
    for (std::size_t i = 1; i < c.errors.size(); ++i)
      findings.at_most(
          fmt::format("{}: rel.err with m = {}{}, at most a tenth of m = 0", c.name, windows[i], after),
          0.1 * c.errors[0], c.errors[i]);
    ratio(findings, c.name + ": rel.err of m = 100 / m = 5", c.errors[4], c.errors[2],
          s.integer("iterations") >= 40);
    ratio(findings, c.name + ": rel.err of m = 5 / best", c.errors[2],
          *std::min_element(c.errors.begin(), c.errors.end()), s.integer("iterations") >= 40);
    for (const int i : {1, 2, 3})
      findings.report(fmt::format("{}: rel.err with m = {} after 10 iterations", c.name, windows[i]), c.early[i],
                      "independent program, S-BEAM: 0.0022, 0.0029, 0.0029 for m = 2, 5, 20");
  }
}

}  // namespace

ExperimentPlugin experiment_E8() {
  return {.title = "Window of L-BFGS",
          .source = "liu2017",
          .shows = "Figs. 7, 13",
          .doc = "Relative error after 40 iterations for m = 0, 2, 5, 20, 100.",
          .params = {integer("iterations", 40, between(1, 10000), "iterations compared"),
                     number("detail", "", 1, between(0.3, 4), "twisting bar: 1 is 7 x 8 x 62 vertices"),
                     integer("frame", 20, at_least(0), "frame of the twisting bar whose step is studied"),
                     integer("cells", 2, between(1, 8), "cells across S-BEAM"),
                     number("stiffness", "Pa", 1e8, positive(), "k of S-BEAM"),
                     number("beam_step", "s", 0.01, positive(), "time step of S-BEAM"),
                     number("twist", "degrees", 180, any_number(), "twist of S-BEAM")},
          .quick = Quick{.set = {{"detail", 0.5}}},
          .run = run};
}

}  // namespace resilin
