// E61: PBD has no stiffness of its own (Ledwon 2024, Fig. 3.2): 1000 iterations untwist the beam entirely for any
// time step, where quasi-Newton keeps what the step leaves no time to lose. Of masses only ratios count (Eq. 3.35).
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

// Elastic energy after the run, as a share of that of the start.
double kept(const lab::Run& run) {
  const auto& trace = run.curve.report.trace;
  return trace.back().potential / trace.front().potential;
}

std::vector<double> projected(const lab::BeamOptions& o, double heavier, int iterations) {
  Model model = lab::ledwon_model(o);
  for (double& m : model.mass) m *= heavier;
  const auto q = lab::twisted(model.rest, o.twist);
  lab::OneStage stage = lab::stage_from_rest(std::move(model), q, o.step, 1);
  std::vector<double> y;
  stage.solve(*lab::make_solver("pbd"), {.iterations = iterations, .tolerance = 0}, y);
  return y;
}

void run_step(const Settings& s, double step, double expected, Findings& findings) {
  lab::BeamOptions o = lab::beam_options(s);
  o.step = step;
  lab::OneStage stage = lab::released_beam(o);
  const lab::Run pbd = lab::traced(stage, "PBD", "pbd", {}, s.integer("iterations")),
                 qn = lab::traced(stage, "QN", "quasi_newton", {}, s.integer("iterations"));
  const std::string at = fmt::format("h = {:.0e} s: ", step);
  findings.at_most(at + "elastic energy after PBD / at the start", 1e-6, kept(pbd), "independent program 8e-17");
  const std::string what = at + "elastic energy after quasi-Newton / at the start";
  if (o.stiffness == 1e8 && o.cells == 2 && s.number("step") == 1e-2)
    findings.relative(what, expected, kept(qn), 0.02, "independent program, same beam");
  else findings.report(what, kept(qn));
  const auto turned = [&](const lab::Run& by) {
    return lab::untwisted(lab::beam_mesh(o.cells), stage.stage().origin, by.y);
  };
  findings.near(at + "angle by which PBD untwists", o.twist, turned(pbd), 0.1);
  findings.report(at + "angle by which quasi-Newton untwists", turned(qn));
  for (const lab::Run* run : {&pbd, &qn})
    findings.picture(
        fmt::format("Fig. 3.2: {}, h = {:.0e} s, {} iterations", run->curve.name, step, s.integer("iterations")),
        lab::snapshot(lab::ledwon_model(o), run->y, {0, 1, 0}, stage.stage().origin));
}

void run(const Settings& s, Findings& findings) {
  run_step(s, s.number("step"), 5.08e5 / 2.046e7, findings);
  run_step(s, s.number("step") / 10, 1.624e7 / 2.046e7, findings);
  const lab::BeamOptions o = lab::beam_options(s);
  const auto plain = projected(o, 1, 20);
  findings.near("masses doubled: largest change of positions after 20 iterations", 0,
                lab::farthest(projected(o, 2, 20), plain), 0, "exact: every rounding is the same");
  findings.at_most("masses times 3: largest change of positions after 20 iterations", 1e-11,
                   lab::farthest(projected(o, 3, 20), plain), "rounding only");
}

}  // namespace

ExperimentPlugin experiment_E61() {
  return {.title = "PBD untwists the beam completely at any step size",
          .source = "ledwon2024",
          .shows = "Fig. 3.2",
          .doc = "The released beam by PBD and by quasi-Newton, with the step and a tenth of it, 1000 iterations.",
          .params = lab::beam_params(1e8, 1e-2, 1000),
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
