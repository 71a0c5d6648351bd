// The error that truncation leaves in a run of its own: so many iterations per frame, frame after frame, against the converged run. A
// two-level iteration is worth more than one of the paper's method, and no run may fail that the paper's method survives.
#include <fmt/format.h>

#include <algorithm>

#include "lab/experiment.h"
#include "lab/two_level_study.h"

namespace resilin {
namespace {

void run(const Settings& s, Findings& findings) {
  const std::vector<int> counts = {3, 5, 10};
  std::vector<std::vector<std::string>> rows;
  int unstable = 0;
  for (const std::string& scene : lab::bar_scenes()) {
    lab::BarCase c;
    c.scene = scene, c.material = s.text("material"), c.vertices = s.integer("vertices"),
    c.young = s.number("young");
    std::vector<lab::Method> methods;
    for (const int n : counts) methods.push_back({fmt::format("paper, {} iterations", n), "quasi_newton", {}, n});
    for (const int n : counts)
      methods.push_back({fmt::format("two-level, {} iterations", n),
                         "quasi_newton",
                         {{"coarse_modes", s.integer("coarse_modes")}, {"start", "harmonic"}},
                         n});
    const auto [runs, ambiguity] = lab::own_trajectories(c, methods, s.integer("frames"));
    findings.report(scene + ": distance of two converged runs, quasi-Newton's to Newton's / body length",
                    ambiguity);
    for (std::size_t m = 0; m < methods.size(); ++m)
      rows.push_back({scene, methods[m].name, fmt::format("{:.2e}", runs[m].error), runs[m].finite ? "yes" : "no"});
    for (std::size_t i = 0; i < counts.size(); ++i)
      unstable += runs[i].finite && !runs[i + counts.size()].finite ? 1 : 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
      findings.report(fmt::format("{}: error of {} iterations, two-level over paper", scene, counts[i]),
                      runs[i + counts.size()].error / runs[i].error,
                      fmt::format("{:.1e}", runs[i + counts.size()].error));
    const std::string row = scene + ": error of 5 two-level iterations over 10 of the paper's";
    const double ratio = runs[4].error / runs[2].error;
    if (ambiguity > 0.5 * std::min(runs[4].error, runs[2].error))
      findings.report(row, ratio, "not judged: converged runs differ by as much");
    else findings.at_most(row, 1, ratio);
  }
  findings.near("runs that stay finite with the paper's method only", 0, unstable, 0);
  findings.table("Root mean square distance to the converged run / body length",
                 {"scene", "method", "error", "finite"}, std::move(rows));
}

}  // namespace

ExperimentPlugin experiment_two_level_trajectories() {
  return {.title = "Two levels: truncated runs",
          .source = "two_level",
          .doc = "3, 5 and 10 iterations per frame against the converged run.",
          .params = {integer("frames", 120, between(1, 100000), "of 1/30 s"),
                     choice("material", {"neo_hookean", "corotated", "spline", "polynomial"}, "of the bar"),
                     integer("vertices", 1500, between(32, 1000000), "about"),
                     number("young", "Pa", 1e6, positive(), "Young's modulus"),
                     integer("coarse_modes", 4, between(1, 16), "of the two-level method")},
          .run = run};
}

}  // namespace resilin
