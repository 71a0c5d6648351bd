// E69: both settings of Ledwon 2024, Fig. 3.1: a beam that converged quasi-Newton steps have twisted by turning
// soft pins at its ends is released, or twisted further. After 1000 iterations of the next step all solvers that
// minimise give the same shape (Fig. 3.6 a).
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

// Figure 3.6: the beam after 1000 iterations, of QN and XPBD.
void show(const std::string& setting, const lab::BeamOptions& o, const std::vector<double>& start,
          const std::vector<lab::Run>& runs, Findings& findings) {
  findings.picture("Fig. 3.1: before the step, " + setting, lab::snapshot(lab::ledwon_model(o), start));
  for (const lab::Run& run : runs)
    if (run.curve.name == "QN" || run.curve.name == "XPBD")
      findings.picture(fmt::format("Fig. 3.6 a: {}, {}", setting, run.curve.name),
                       lab::snapshot(lab::ledwon_model(o), run.y, {0, 1, 0}, start));
}

void run_setting(const Settings& s, const std::string& setting, lab::OneStage from, const lab::BeamOptions& o,
                 Findings& findings) {
  const int n = s.integer("iterations");
  auto [stage, y, minimum, weight, runs] = lab::thesis_case(std::move(from), n);
  const double size = stage.system().model().size();
  runs.push_back(lab::traced(stage, "PBD", "pbd", {}, n));
  findings.at_most(setting + ", QN: largest distance from the minimiser / length", 1e-4,
                   lab::farthest(runs[0].y, y) / size);
  for (const lab::Run& run : runs) {
    const std::string what = setting + ", " + run.curve.name + ": largest distance from QN / length";
    const double distance = lab::farthest(run.y, runs[0].y) / size;
    if (run.curve.name == "ADMM" || run.curve.name == "PD") findings.at_most(what, 0.01, distance);
    else if (run.curve.name != "QN") findings.report(what, distance);
  }
  lab::plot_errors(findings, "Prepared beam, " + setting, lab::curves(runs), minimum);
  show(setting, o, stage.stage().origin, runs, findings);
}

void run(const Settings& s, Findings& findings) {
  const lab::BeamOptions o = lab::beam_options(s);
  const lab::PreparedBeam beam = lab::prepare_beam(o, s.integer("turns"));
  findings.near("steps of the preparation that did not converge", 0, beam.unfinished, 0);
  run_setting(s, "released", lab::release(beam), o, findings);
  run_setting(s, "twisted further", lab::twist_further(beam, s.number("further")), o, findings);
}

}  // namespace

ExperimentPlugin experiment_E69() {
  return {.title = "Solvers that minimise end in the same shape",
          .source = "ledwon2024",
          .shows = "Fig. 3.1, Fig. 3.6",
          .doc = "A beam twisted by soft pins, then released or twisted further: the next step by all solvers.",
          .params = lab::beam_params(
              1e8, 1e-2, 1000, 3,
              {integer("turns", 20, between(1, 1000), "steps in which the beam is twisted by 180 degrees"),
               number("further", "degrees", 9, any_number(),
                      "angle by which the pins turn in the step that twists further")}),
          .quick = Quick{.set = {{"cells", 2}}},
          .run = run};
}

}  // namespace resilin
