// E65: XPBD does not end at the minimum (Ledwon 2024, Fig. 3.5): its error stays where it is after some iterations. At h = 1e-2 s it
// keeps more elastic and makes less kinetic energy. At h = 1e-3 s the thesis says the same of the inertial term; the oracle did not
// find that, so it is reported only.
#include <fmt/format.h>

#include <cmath>

#include "lab/experiment.h"
#include "lab/ledwon_beam.h"

namespace resilin {
namespace {

struct Compared {
  lab::Run qn, xpbd;
  double minimum;
};

Compared compare(const Settings& s, double step, Findings& findings) {
  lab::BeamOptions o = lab::beam_options(s);
  o.step = step;
  lab::OneStage stage = lab::released_beam(o);
  std::vector<double> y;
  const double minimum = stage.minimum(y, 1e-10);
  const auto runs = lab::thesis_runs(stage, s.integer("iterations"), lab::best_weight(stage, minimum));
  lab::plot_parts(findings, fmt::format("Fig. 3.5, h = {:.0e} s", step), runs,
                  std::min(500, s.integer("iterations")));
  return {runs.front(), runs.back(), minimum};
}

double error(const Compared& c, int iteration) { return lab::error_at(c.xpbd.curve.report, iteration, c.minimum); }

void report_parts(const Compared& c, const std::string& at, Findings& findings) {
  for (const lab::Run* run : {&c.qn, &c.xpbd}) {
    const IterationRecord& last = run->curve.report.trace.back();
    findings.report(at + run->curve.name + ", inertial term at the end [J]", last.inertia);
    findings.report(at + run->curve.name + ", elastic energy at the end [J]", last.potential);
  }
}

void run(const Settings& s, Findings& findings) {
  const int n = s.integer("iterations");
  const Compared large = compare(s, 1e-2, findings), small = compare(s, 1e-3, findings);
  findings.between("h = 1e-2: relative error of XPBD at the end", 2e-3, 5e-2, error(large, n), "oracle 0.019");
  findings.near("h = 1e-2: error at half of the iterations / at the end", 1, error(large, n / 2) / error(large, n),
                0.2);
  findings.between("h = 1e-3: relative error of XPBD at the end", 4e-2, 16e-2, error(small, n), "oracle 0.080");
  findings.near("h = 1e-3: error after 10 iterations / at the end", 1, error(small, 10) / error(small, n), 0.2,
                "reached by iteration 10");
  const IterationRecord &qn = large.qn.curve.report.trace.back(), &xpbd = large.xpbd.curve.report.trace.back();
  findings.at_most("h = 1e-2: inertial term of XPBD / QN", 1, xpbd.inertia / qn.inertia,
                   "oracle 2.45e6/2.62e6 = 0.935");
  findings.at_least("h = 1e-2: elastic energy of XPBD / QN", 1, xpbd.potential / qn.potential,
                    "oracle 1.01e6/5.1e5 = 1.98");
  report_parts(large, "h = 1e-2: ", findings);
  report_parts(small, "h = 1e-3: ", findings);
}

}  // namespace

ExperimentPlugin experiment_E65() {
  return {.title = "The bias of XPBD does not vanish",
          .source = "ledwon2024",
          .shows = "Fig. 3.5",
          .doc = "Elastic and inertial part of the released beam by iteration, h = 1e-2 and 1e-3 s.",
          .params = lab::beam_params(1e8, 1e-2, 1000),
          .run = run};
}

}  // namespace resilin
