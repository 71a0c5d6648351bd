// E8: the window m of L-BFGS (Liu et al. Fig. 7) on the twisting neo-Hookean bar and on S-BEAM: any history beats none by a factor
// of ten after 40 iterations, five pairs are within three of the best and a hundred no better.
#include <algorithm>
#include <cmath>

#include "lab/experiment.h"
#include "lab/liu_scenes.h"

namespace resilin {
namespace {

constexpr int windows[] = {0, 2, 5, 20, 100};
// Relative errors below this are round-off of Phi: nothing is better than anything there.
constexpr double noise = 1e-12;

struct Case {
  std::string name;
  std::vector<double> errors;  // one per window
};

double lowest(const SolveReport& report) {
  double value = report.objective;
  for (const auto& record : report.trace) value = std::min(value, record.objective);
  return value;
}

Case study(const std::string& name, Objective& objective, const Stage& stage, int iterations) {
  std::vector<double> y;
  const auto newton = lab::make_solver("newton", {{"hessian", "exact_first"}});
  double minimum = lab::solve_stage(*newton, objective, stage, y, 300, 1e-9).objective;
  std::vector<double> last;
  double first = 0;
  for (const int m : windows) {
    const auto solver = lab::make_solver("quasi_newton", {{"history", m}});
    solver->tracing = true;
    const SolveReport report = lab::solve_stage(*solver, objective, stage, y, iterations);
    first = report.trace.front().objective;
    last.push_back(lowest(report));
    minimum = std::min(minimum, last.back());
  }
  Case out{name, {}};
  for (const double value : last) out.errors.push_back(std::max(noise, (value - minimum) / (first - minimum)));
  return out;
}

Case beam(const Settings& s) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  const auto start = lab::twisted(mesh.vertices, s.number("twist"));
  const std::vector<double> still(start.size(), 0.0);
  lab::OneStage one(lab::solid(mesh, 1000, "arap", {{"stiffness", s.number("stiffness")}}), start, still, s.number("beam_step"));
  return study("S-BEAM", one.objective(), one.stage(), s.integer("iterations"));
}

// A frame in the middle of the motion.
Case bar(const Settings& s) {
  const double h = 1.0 / 30;
  const auto simulation = lab::start_scene(lab::liu_scene("twisting_bar", s.number("detail")), h, "quasi_newton", {});
  for (int frame = 0; frame < s.integer("frame"); ++frame) simulation->step();
  const Stage stage = lab::euler_stage(simulation->objective(), simulation->state(), h);
  return study("twisting bar", simulation->objective(), stage, s.integer("iterations"));
}

void run(const Settings& s, Findings& findings) {
  const std::string after = " after " + std::to_string(s.integer("iterations")) + " iterations";
  for (const Case& c : {bar(s), beam(s)}) {
    findings.report(c.name + ": rel.err with m = 0" + after, c.errors[0]);
    for (std::size_t i = 1; i < c.errors.size(); ++i)
      findings.at_most(c.name + ": rel.err with m = " + std::to_string(windows[i]), 0.1 * c.errors[0], c.errors[i], "a tenth of m = 0");
    const double best = *std::min_element(c.errors.begin(), c.errors.end());
    findings.at_most(c.name + ": rel.err of m = 100 / m = 5", 3, c.errors[4] / c.errors[2], "errors below 1e-12 count as 1e-12");
    findings.at_most(c.name + ": rel.err of m = 5 / best", 3, c.errors[2] / best, "errors below 1e-12 count as 1e-12");
  }
}

}  // namespace

ExperimentPlugin experiment_E8() {
  return {.title = "Window of L-BFGS",
          .source = "liu2017",
          .doc = "Relative error after 40 iterations for m = 0, 2, 5, 20, 100.",
          .params = {integer("iterations", 40, between(1, 10000), "iterations compared"),
                     number("detail", "", 1, between(0.3, 4), "twisting bar: 1 is 7 x 8 x 62 vertices"),
                     integer("frame", 20, at_least(0), "frame of the twisting bar whose step is studied"),
                     integer("cells", 2, between(1, 8), "cells across S-BEAM"), number("stiffness", "Pa", 1e8, positive(), "k of S-BEAM"),
                     number("beam_step", "s", 0.01, positive(), "time step of S-BEAM"),
                     number("twist", "degrees", 180, any_number(), "twist of S-BEAM")},
          .run = run};
}

}  // namespace resilin
