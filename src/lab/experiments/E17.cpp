// E17: conjugate gradients against direct solves (Liu et al. 2017, Figs. 16 and 17) on the twisting neo-Hookean
// bar, at 35,000 vertices by default. Newton with a few CG iterations is less accurate per iteration than
// Newton with a factor. That ours with its kept factor is first to 1e-3 by the clock is shown here and
// judged by `resilin bench experiment_times`. The preconditioners of Fig. 17 are reported.
#include "lab/liu_scenes.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

lab::Values cg(int iterations, lab::Values more = {}) {
  more.insert(more.end(), {{"linear_method", "pcg"}, {"linear_iterations", iterations}, {"linear_tolerance", 0}});
  return more;
}

std::vector<lab::Method> contenders() {
  return {{"ours, direct", "quasi_newton", {}},
          {"ours, CG 15", "quasi_newton", cg(15)},
          {"Newton, direct", "newton", {}},
          {"Newton, CG 5", "newton", cg(5)},
          {"Newton, CG 15", "newton", cg(15)},
          {"Newton, CG 15 stopped at negative curvature", "newton", cg(15, {{"hessian", "exact"}})}};
}

// Fig. 17: L-BFGS on the Hessian of the frame, solved by a few iterations with two incomplete factors.
std::vector<lab::Method> preconditioned() {
  const lab::Values frame = {{"initial_hessian", "frame_hessian"}};
  std::vector<lab::Method> out = {{"frame Hessian, direct", "quasi_newton", frame}};
  for (const char* of : {"incomplete_cholesky_rest", "incomplete_cholesky"})
    for (const int iterations : {5, 15}) {
      lab::Values params = cg(iterations, frame);
      params.emplace_back("preconditioner", of);
      out.push_back({fmt::format("frame Hessian, PCG {} with {}", iterations, of), "quasi_newton", params});
    }
  return out;
}

// What a frame pays before its first iteration: nothing for a constant factor, a factorisation for the Hessian of
// the frame.
double seconds_before(lab::Study& study, const lab::Method& c) {
  return c.solver == "newton" ? 0 : study.seconds(c.solver, c.params, 0, 1);
}

void run(const Settings& s, Findings& findings) {
  const auto bar = lab::start_scene(lab::liu_scene("twisting_bar", s.number("detail")));
  lab::Study study = lab::study_at(*bar, s.integer("frame"));
  findings.report("vertices", bar->model().vertex_count());
  const double target = s.number("target");
  const auto all = contenders();
  std::vector<SolveReport> reports;
  for (const lab::Method& c : all) reports.push_back(study.trace(c.solver, c.params, s.integer("iterations")));
  std::vector<double> seconds;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int needed = lab::iterations_to(study.errors(reports[i]), target);
    seconds.push_back(study.seconds(all[i].solver, all[i].params, needed, s.integer("repetitions")));
    findings.report(fmt::format("{}: iterations to {:g}", all[i].name, target), needed);
    if (i > 0)
      findings.time(fmt::format("{}: wall time to {:g} / ours, direct", all[i].name, target), ">=", 1,
                    seconds[i] / seconds[0],
                    fmt::format("{:.1f} ms against {:.1f} ms", 1e3 * seconds[i], 1e3 * seconds[0]));
  }
  const auto direct = study.errors(reports[2]), truncated = study.errors(reports[4]);
  for (std::size_t k = 1; k < std::min(direct.size(), truncated.size()) && direct[k] > s.number("converged"); ++k)
    findings.at_least(
        fmt::format("Newton: rel.err with CG 15 after {} iterations, at least that of the direct solve", k),
        direct[k], truncated[k]);
  std::vector<lab::Curve> solvers, preconditioners = {{"ours, direct", reports[0], seconds_before(study, all[0])}};
  for (std::size_t i = 0; i < all.size(); ++i)
    solvers.push_back({all[i].name, reports[i], seconds_before(study, all[i])});
  for (const lab::Method& c : preconditioned()) {
    preconditioners.push_back(
        {c.name, study.trace(c.solver, c.params, s.integer("iterations")), seconds_before(study, c)});
    const auto errors = study.errors(preconditioners.back().report);
    findings.report(c.name + ": rel.err after 10 iterations", errors[std::min<std::size_t>(10, errors.size() - 1)]);
  }
  lab::plot_convergence(findings, "Fig. 16: direct solves and conjugate gradients", solvers, study.least());
  lab::plot_convergence(findings, "Fig. 17: preconditioned conjugate gradients", preconditioners, study.least());
}

}  // namespace

ExperimentPlugin experiment_E17() {
  return {.title = "Conjugate gradients against direct solves",
          .source = "liu2017",
          .shows = "Figs. 16, 17",
          .doc = "Wall time to a relative error, and error per iteration, with truncated conjugate gradients.",
          .params = {integer("iterations", 30, between(1, 10000), "iterations of every solve at most"),
                     number("target", "", 1e-3, {0, 1, true, true}, "relative error to reach"),
                     number("converged", "", 1e-6, positive(),
                            "relative error below which Newton's iterations are not compared"),
                     number("detail", "", 2.25, between(0.3, 4),
                            "twisting bar: 1 is 7 x 8 x 62 vertices, 2.25 is 15 x 17 x 138"),
                     integer("frame", 20, at_least(0), "frame that is studied"),
                     integer("repetitions", 1, between(1, 100),
                             "repetitions of each timing, of which the least counts")},
          .quick = Quick{.set = {{"detail", 0.7}, {"repetitions", 1}}},
          .run = run,
          .timed = Value::Object{}};
}

}  // namespace resilin
