// E8: the window m of L-BFGS (Liu et al. Fig. 7) on the twisting neo-Hookean bar and on S-BEAM: any history beats
// none by a factor of ten after 40 iterations, five pairs are within three of the best and a hundred no better.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

constexpr int windows[] = {0, 2, 5, 20, 100};
// The factors of three were measured where errors print as 0.0000 %: below this all windows count as
// converged alike. Revised once (judgement): without it the row compares 3e-11 with 1e-12 on S-BEAM.
constexpr double converged = 5e-7;

lab::Study beam(const Settings& s) {
  const TetMesh mesh = lab::beam_mesh(s.integer("cells"));
  lab::Study out = lab::stage_from_rest(lab::solid(mesh, 1000, "arap", {{"stiffness", s.number("stiffness")}}),
                                        lab::twisted(mesh.vertices, s.number("twist")), s.number("beam_step"));
  std::vector<double> y;
  out.minimum(y);
  return out;
}

// The factor of three holds after 40 iterations; earlier, windows differ as luck has it.
void ratio(Findings& findings, const std::string& quantity, double error, double reference, bool judged) {
  const double measured = std::max(error, converged) / std::max(reference, converged);
  const std::string note =
      fmt::format("errors below 5e-7 count as that; as measured {:.3g} / {:.3g}", error, reference);
  if (judged) findings.at_most(quantity, 3, measured, note);
  else findings.report(quantity, measured, note);
}

void judge(const std::string& name, lab::Study study, const Settings& s, Findings& findings) {
  std::vector<lab::Curve> curves;
  for (const int m : windows)
    curves.push_back(
        {fmt::format("m = {}", m), study.trace("quasi_newton", {{"history", m}}, s.integer("iterations"))});
  std::vector<double> last, early;  // one per window: after all iterations, and after 10
  for (const lab::Curve& curve : curves) {
    const auto errors = study.errors(curve.report);
    last.push_back(errors.back()), early.push_back(errors[std::min<std::size_t>(10, errors.size() - 1)]);
  }
  const std::string after = fmt::format(" after {} iterations", s.integer("iterations"));
  const bool judged = s.integer("iterations") >= 40;
  lab::plot_errors(findings, "Fig. 13: windows of L-BFGS, " + name, curves, study.least());
  findings.report(name + ": rel.err with m = 0" + after, last[0]);
  for (std::size_t i = 1; i < last.size(); ++i)
    findings.at_most(fmt::format("{}: rel.err with m = {}{}, at most a tenth of m = 0", name, windows[i], after),
                     0.1 * last[0], last[i]);
  ratio(findings, name + ": rel.err of m = 100 / m = 5", last[4], last[2], judged);
  ratio(findings, name + ": rel.err of m = 5 / best", last[2], *std::min_element(last.begin(), last.end()), judged);
  for (const std::size_t i : {1, 2, 3})
    findings.report(fmt::format("{}: rel.err with m = {} after 10 iterations", name, windows[i]), early[i],
                    "independent program, S-BEAM: 0.0022, 0.0029, 0.0029 for m = 2, 5, 20");
}

void run(const Settings& s, Findings& findings) {
  for (const char* name : {"twisting_bar", "twisting_bar_slow"}) {  // a frame in the middle of the motion
    const auto bar = lab::start_scene(lab::liu_scene(name, s.number("detail")));
    judge(name, lab::study_at(*bar, s.integer("frame")), s, findings);
  }
  judge("S-BEAM", beam(s), s, findings);
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
