// E9: Chebyshev acceleration with S = 10 (Liu et al. 2017, Fig. 7, Alg. 3) on the twisting neo-Hookean bars:
// faster than projective dynamics, at best a little faster than L-BFGS with two pairs. rho is found by bisection
// on the frames before.
//
// Overshooting: the paper says that an under-estimated rho produces ascent directions. For symmetric A^-1 H with
// eigenvalues in (0, 2) it is an over-estimated one that oscillates: T_k(lambda/rho)/T_k(1/rho) falls for every
// |lambda| < 1 when rho is too small, only slowly. Both are run without a line search; the row on the under-
// estimated one is reported, that on the over-estimated one judged (the expectation was revised once for this
// reason).
#include <fmt/format.h>

#include <algorithm>

#include "lab/advance.h"
#include "lab/experiment.h"
#include "lab/figures.h"
#include "lab/frame_study.h"

namespace resilin {
namespace {

// The estimate after the frames that lead up to `frame`.
Memory trained(const Settings& s, const std::string& scene, Solver& chebyshev) {
  const double h = lab::FrameStudy::step;
  const auto simulation = lab::start_scene(lab::liu_scene(scene, s.number("detail")), h, "quasi_newton", {});
  Memory memory;
  StopRule stop;
  stop.iterations = s.integer("iterations");
  for (int frame = 0; frame < s.integer("frame"); ++frame) {
    if (frame >= s.integer("frame") - s.integer("training_frames")) {
      const Stage stage = lab::euler_stage(simulation->objective(), simulation->state(), h);
      std::vector<double> y = stage.guess;
      chebyshev.solve(simulation->objective(), stage, y, memory, stop);
    }
    lab::advance(*simulation);
  }
  return memory;
}

// Iterations that raised Phi.
int rises(const SolveReport& report) {
  int count = 0;
  for (std::size_t i = 1; i < report.trace.size(); ++i)
    count += !(report.trace[i].objective <= report.trace[i - 1].objective * (1 + 1e-11));
  return count;
}

void study(const Settings& s, const std::string& scene, Findings& findings) {
  const int iterations = s.integer("iterations");
  const auto chebyshev = lab::make_solver("chebyshev", {{"training_frames", s.integer("training_frames")}});
  const Memory memory = trained(s, scene, *chebyshev);
  const double radius = memory.entries.at("chebyshev.radius").values[0];
  lab::FrameStudy frame(lab::liu_scene(scene, s.number("detail")), s.integer("frame"));
  const SolveReport plain = frame.solve("quasi_newton", {{"history", 0}}, iterations),
                    ours = frame.solve("quasi_newton", {{"history", 2}}, iterations),
                    accelerated = frame.solve(*chebyshev, iterations, memory);
  const auto needed = [&](const SolveReport& report) {
    return lab::iterations_to(frame.errors(report), s.number("target"));
  };
  const std::string to = fmt::format("{}: iterations to {:g}, ", scene, s.number("target"));
  findings.report(scene + ": rho found by bisection", radius);
  findings.report(to + "projective dynamics", needed(plain));
  findings.report(to + "L-BFGS with m = 2", needed(ours));
  findings.at_most(to + "Chebyshev: fewer than projective dynamics", needed(plain) - 1, needed(accelerated));
  findings.at_least(to + "Chebyshev: at least 0.7 of L-BFGS", 0.7 * needed(ours), needed(accelerated));

  const std::vector<lab::Curve> curves = {
      {"projective Hessian, m = 0", plain},
      {"Chebyshev", accelerated},
      {"L-BFGS, m = 2", ours},
      {"L-BFGS, m = 5", frame.solve("quasi_newton", {{"history", 5}}, iterations)},
      {"Newton", frame.solve("newton", {}, s.integer("newton_iterations"))}};
  lab::plot_convergence(findings, "Fig. 7: " + scene, curves, frame.minimum());

  const double small = 0.5 * radius, large = s.number("overestimate");
  for (const double rho : {small, large}) {
    lab::Values params = {{"spectral_radius", rho}};
    const std::string what =
        fmt::format("{}, rho {} to {:.4g}: steps that raise Phi, ", scene, rho == small ? "halved" : "raised", rho);
    findings.near(what + "with a line search", 0, rises(frame.solve("chebyshev", params, iterations)), 0);
    params.emplace_back("line_search", false);
    const int free = rises(frame.solve("chebyshev", params, iterations));
    if (rho == large) findings.at_least(what + "without", 1, free);
    else findings.report(what + "without", free, "some was expected; see the file's head");
  }
}

void run(const Settings& s, Findings& findings) {
  study(s, "twisting_bar", findings);
  study(s, "twisting_bar_slow", findings);
  findings.differs_because(
      "the paper says that an under-estimated spectral radius makes Chebyshev ascend. Here it only slows it down; "
      "what oscillates "
      "is an over-estimated one, and that is judged.");
}

}  // namespace

ExperimentPlugin experiment_E9() {
  return {
      .title = "Chebyshev acceleration",
      .source = "liu2017",
      .shows = "Fig. 7",
      .doc = "Iterations to a relative error of projective dynamics, Chebyshev and L-BFGS; wrong estimates of rho.",
      .params = {integer("iterations", 300, between(12, 10000), "iterations of each solve"),
                 integer("newton_iterations", 30, between(1, 10000), "iterations of Newton's method in the plot"),
                 number("target", "", 1e-3, {0, 1, true, true}, "relative error to reach"),
                 number("detail", "", 1, between(0.3, 4), "twisting bar: 1 is 7 x 8 x 62 vertices"),
                 integer("frame", 20, at_least(1), "frame that is studied"),
                 integer("training_frames", 3, between(1, 1000), "frames before it that rho is found on"),
                 number("overestimate", "", 0.9999, {0, 1, true, true}, "rho that is too large")},
      .quick = Quick{.set = {{"detail", 0.7}, {"newton_iterations", 5}}, .slow = true},
      .run = run};
}

}  // namespace resilin
