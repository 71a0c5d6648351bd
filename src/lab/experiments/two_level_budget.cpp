// Scene A with a wall-clock budget per frame: the controller of the descent loop (solvers/pace.h) does as many iterations as fit and
// leaves out a coarse Hessian that would not pay. Budgets are parts of what a frame of ten iterations of the paper's
// method takes on this machine now, so that the mark means the same everywhere. Not from a paper.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/experiment.h"
#include "lab/two_level_study.h"

namespace resilin {
namespace {

struct Budgeted {
  std::unique_ptr<Simulation> simulation;
  std::vector<double> seconds{}, iterations{}, fall{};  // by frame; fall: of the residual, log10
  void step(bool count) {
    const StepReport report = simulation->step();
    if (!count) return;
    seconds.push_back(report.seconds);
    iterations.push_back(report.solve.iterations);
    fall.push_back(std::log10(report.solve.residual / report.solve.first_residual));
  }
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

Budgeted start(int iterations, double budget, int modes) {
  return {.simulation = lab::scene_a(fmt::format(
              R"({{"type": "quasi_newton", "tolerance": 0, "iterations": {}, "budget": {}, "coarse_modes": {}}})",
              iterations, budget, modes))};
}

void run(const Settings& s, Findings& findings) {
  constexpr int warm_up = 5, most = 1000;
  Budgeted free = start(10, 0, 0);
  for (int frame = 0; frame < warm_up + s.integer("frames"); ++frame) free.step(frame >= warm_up);
  const double whole = median(free.seconds);
  findings.report("10 iterations of the paper's method [ms]", 1e3 * whole,
                  "median of frames; the unit of the budgets");
  for (const double part : s.numbers("parts")) {
    std::vector<Budgeted> runs;
    for (const int modes : {0, s.integer("coarse_modes")}) runs.push_back(start(most, part * whole, modes));
    for (int frame = 0; frame < warm_up + s.integer("frames"); ++frame)
      for (Budgeted& one : runs) one.step(frame >= warm_up);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::string name = i == 0 ? "paper's method" : "two-level";
      findings.at_most(fmt::format("{} in {:g} of that: median frame / budget", name, part), 1.1,
                       median(runs[i].seconds) / (part * whole),
                       fmt::format("{:g} iterations, residual falls to {:.1e}", median(runs[i].iterations),
                                   std::pow(10, median(runs[i].fall))));
    }
    findings.report(fmt::format("in {:g} of that: residual, two-level over paper's", part),
                    std::pow(10, median(runs[1].fall) - median(runs[0].fall)), "medians of the fall in a frame");
  }
}

}  // namespace

ExperimentPlugin experiment_two_level_budget() {
  return {.title = "Two levels: a budget per frame",
          .source = "two_level",
          .doc = "Scene A with a wall-clock budget: how well it is kept, and how far the residual falls in it.",
          .params = {integer("frames", 60, between(1, 100000), "measured, after five"),
                     integer("coarse_modes", 4, between(1, 16), "of the two-level method"),
                     numbers("parts", "", {0.3, 0.6, 1.0}, positive(), "budgets, in frames of ten iterations")},
          .run = run};
}

}  // namespace resilin
