// E66: large step and stiffness, h = 0.1 s and k = 1e9 Pa (Ledwon 2024, Figs. 3.8 and 3.9), where PD seems to
// converge to a larger system, 2.3 times the least in the thesis. It has not converged: its error is a rigid
// rotation, which its global step hardly sees. Many more iterations end at the minimum, and the closed-form rigid
// step gets there at once.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"
#include "lab/windows.h"

namespace resilin {
namespace {

// The twist, and a bend that breaks its symmetry.
std::vector<double> start(const Model& model, double twist, double bend) {
  auto q = lab::twisted(model.rest, twist);
  for (std::size_t i = 0; i < q.size(); i += 3) q[i + 1] += bend * model.rest[i] * model.rest[i];
  return q;
}

double largest_rise(const SolveReport& report) {
  lab::Worst worst;
  for (std::size_t i = 1; i < report.trace.size(); ++i)
    worst.see(report.trace[i].objective - report.trace[i - 1].objective);
  return worst / report.trace.front().objective;
}

void run_start(const Settings& s, double bend, const std::string& at, Findings& findings) {
  lab::BeamOptions o = lab::beam_options(s);
  Model model = lab::ledwon_model(o);
  const std::vector<double> mass = model.mass, q = start(model, o.twist, bend);
  const int n = s.integer("iterations");
  lab::ThesisCase thesis = lab::thesis_case(lab::stage_from_rest(std::move(model), q, o.step, 1), n);
  auto& [stage, least, minimum, weight, runs] = thesis;
  std::vector<double> y;
  runs.push_back(lab::traced(stage, "PD with rigid step", "projective_dynamics", {{"rigid_step", true}}, n));
  const auto over = [&](int solver, int i) {
    return lab::record_at(thesis.runs[solver].curve.report, i).objective / thesis.minimum;
  };
  findings.between(at + "objective at the start / least", 4e3, 2e4, over(0, 0),
                   "independent program 5533 to 17556; thesis about 6500");
  findings.at_most(at + "QN: objective / least", 1.01, over(0, n));
  findings.report(at + "ADMM: objective / least", over(1, n));
  findings.at_most(at + "XPBD: objective / least", 1.05, over(3, n), "independent program 1.004 to 1.011");
  findings.report(at + "PD after 260: objective / least", over(2, 260), "independent program 1.150 when bent");
  findings.report(at + "PD at the end: objective / least", over(2, n),
                  "thesis 2.3, independent program 1.135 when bent");
  findings.at_least(at + "PD: share of its squared error that is a rigid motion", 0.99,
                    lab::rigid_share(mass, least, runs[2].y), "independent program 0.999987");
  stage.solve(*lab::make_solver("projective_dynamics", {{"linear_solver", "cholesky"}}),
              {.iterations = s.integer("long_iterations"), .tolerance = 0}, y);
  const double later = stage.value(y) / minimum;
  findings.at_most(at + "PD much later: objective / least", 1.0005, later);
  findings.at_least(at + "PD at the end / much later: objective", 1 - 1e-12, over(2, n) / later);
  findings.at_most(at + "PD with rigid step after 300: objective / least", 1.00001, over(4, 300));
  findings.at_most(at + "PD with rigid step: largest rise in an iteration / start", 1e-12,
                   largest_rise(runs[4].curve.report));
  const std::string start_name = at.substr(0, at.find(':'));
  lab::plot_objective(findings, "Fig. 3.8, " + start_name, runs, n);
  lab::plot_errors(findings, "Fig. 3.8, " + start_name, lab::curves(runs), minimum);
  lab::plot_parts(findings, "Fig. 3.9, " + start_name, runs, n);
}

void run(const Settings& s, Findings& findings) {
  lab::windows_hold_at(s, {{"stiffness", 1e9}, {"step", 0.1}});
  lab::windows_need_at_least(s, "iterations", 300);
  run_start(s, 0, "twisted: ", findings);
  run_start(s, s.number("bend"), "twisted and bent: ", findings);
  findings.differs_because(
      "the thesis's 2.3 hangs on its beam, which it does not print; ours is reported and not judged.");
}

}  // namespace

ExperimentPlugin experiment_E66() {
  return {.title = "Projective dynamics with a large step: its error is a rigid rotation",
          .source = "ledwon2024",
          .shows = "Fig. 3.8, Fig. 3.9",
          .doc = "h = 0.1 s, k = 1e9 Pa: four solvers, PD continued, and PD with the rigid step.",
          .params = lab::beam_params(
              1e9, 0.1, 1000, 2,
              {integer("long_iterations", 100000, between(1000, 10000000), "iterations of the long run of PD"),
               number("bend", "1/m", 0.5, any_number(), "b of the bent start, y += b x^2")}),
          .quick = Quick{.set = {{"long_iterations", 60000}}, .slow = true},
          .run = run};
}

}  // namespace resilin
