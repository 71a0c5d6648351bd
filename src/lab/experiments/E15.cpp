// E15: strong Wolfe against Armijo (Liu et al. 2017, Section 4.2): no better convergence, no cheaper. The row
// on wall time is judged by evaluations of Phi, which are what a search costs: where both accept alpha = 1 the
// clock cannot tell them apart. Both ask for the same decrease, gamma. With the 1e-4 of Nocedal and Wright, Wolfe
// is the laxer test: 21 evaluations against 22 on the slow bar.
#include <fmt/format.h>

#include <algorithm>

#include "lab/experiment.h"
#include "lab/figures.h"
#include "lab/frame_study.h"
#include "lab/worst.h"

namespace resilin {
namespace {

double share_of_full_steps(const SolveReport& report) {
  int full = 0;
  for (std::size_t i = 1; i < report.trace.size(); ++i) full += report.trace[i].step_length == 1;
  return static_cast<double>(full) / std::max<std::size_t>(1, report.trace.size() - 1);
}

void plot_steps(const std::string& scene, const SolveReport& armijo, const SolveReport& wolfe, Findings& findings) {
  lab::Plot plot{"Fig. 14: step sizes, " + scene, "iteration", "step length", false, false, {}};
  for (const auto& [name, report] : {std::pair{"Armijo", &armijo}, {"strong Wolfe", &wolfe}}) {
    lab::Series series{name, {}, {}};
    for (std::size_t i = 1; i < report->trace.size(); ++i)
      series.x.push_back(static_cast<double>(i)), series.y.push_back(report->trace[i].step_length);
    plot.series.push_back(std::move(series));
  }
  findings.plot(std::move(plot));
}

void run(const Settings& s, Findings& findings) {
  findings.differs_because(
      "Both searches ask for the same decrease. Wall time is reported; what is judged is the number of "
      "evaluations, because where both "
      "accept full steps the clock cannot tell them apart.");
  const int iterations = s.integer("iterations");
  for (const char* name : {"twisting_bar", "twisting_bar_slow", "creature"}) {
    lab::FrameStudy study(lab::liu_scene(name, s.number("detail")), s.integer("frame"));
    const lab::Values wolfe_params = {{"search", "strong_wolfe"}};
    const SolveReport armijo = study.solve("quasi_newton", {}, iterations),
                      wolfe = study.solve("quasi_newton", wolfe_params, iterations);
    const double a = study.errors(armijo).back(), w = study.errors(wolfe).back();
    const std::string at = std::string(name) + ": ";
    findings.at_most(fmt::format("{}larger / smaller rel.err of the two after {} iterations", at, iterations), 3,
                     lab::Worst::of({a, w}) / std::max(lab::Least::of({a, w}), 1e-12),
                     fmt::format("Armijo {:.3g}, Wolfe {:.3g}", a, w));
    findings.at_least(at + "share of iterations with alpha = 1, Armijo", 0.9, share_of_full_steps(armijo));
    findings.at_least(at + "share of iterations with alpha = 1, Wolfe", 0.9, share_of_full_steps(wolfe));
    findings.at_most(at + "evaluations with Armijo, at most those with Wolfe", wolfe.evaluations,
                     armijo.evaluations);
    plot_steps(name, armijo, wolfe, findings);
    lab::plot_errors(findings, std::string("Fig. 14: both searches, ") + name,
                     {{"Armijo", armijo}, {"strong Wolfe", wolfe}}, study.minimum());
    findings.report(at + "wall time Armijo / Wolfe",
                    study.seconds("quasi_newton", {}, iterations, s.integer("repetitions")) /
                        study.seconds("quasi_newton", wolfe_params, iterations, s.integer("repetitions")));
  }
}

}  // namespace

ExperimentPlugin experiment_E15() {
  return {.title = "Strong Wolfe against Armijo",
          .source = "liu2017",
          .shows = "Fig. 14",
          .doc = "Relative error, accepted step lengths and evaluations with both line searches.",
          .params = {integer("iterations", 20, between(1, 10000), "compared"),
                     number("detail", "", 1, between(0.3, 4), "size of the scenes"),
                     integer("frame", 20, at_least(0), "frame that is studied"),
                     integer("repetitions", 5, between(1, 100),
                             "repetitions of each timing, of which the least counts")},
          .quick = Quick{.set = {{"detail", 0.5}, {"repetitions", 1}}},
          .run = run};
}

}  // namespace resilin
