// E68: the whole range of the thesis, h = 1e-1 to 1e-4 s and k = 1e5 to 1e12 Pa: the objective of PD never rises,
// and every registered solver stays finite.
#include "lab/ledwon_beam.h"
#include "lab/toolkit.h"

namespace resilin {
namespace {

bool finite(const lab::Run& run) {
  const auto& trace = run.curve.report.trace;
  return run.curve.report.status != Status::not_finite && lab::all_finite(run.y) &&
         std::all_of(trace.begin(), trace.end(),
                     [](const IterationRecord& r) { return std::isfinite(r.objective); });
}

void run(const Settings& s, Findings& findings) {
  std::vector<int> broken(registry<SolverPlugin>().size(), 0);
  lab::Worst rise;
  int cases = 0;
  lab::BeamOptions o;
  o.cells = s.integer("cells");
  for (int a = 1; a <= 4; ++a)
    for (int b = 5; b <= 12; ++b, ++cases) {
      o.step = std::pow(10.0, -a), o.stiffness = std::pow(10.0, b);
      lab::OneStage stage = lab::released_beam(o);
      for (std::size_t i = 0; i < broken.size(); ++i) {
        const std::string& name = registry<SolverPlugin>()[i].name;
        const lab::Run one = lab::traced(stage, name, name, {}, s.integer("iterations"));
        broken[i] += !finite(one);
        if (name != "projective_dynamics") continue;
        const auto& trace = one.curve.report.trace;
        for (std::size_t k = 1; k < trace.size(); ++k)
          rise.see((trace[k].objective - trace[k - 1].objective) / trace[0].objective);
      }
    }
  findings.report("combinations of step and stiffness", cases);
  findings.at_most("PD: largest rise of the objective in an iteration / start", 1e-12, rise);
  for (std::size_t i = 0; i < broken.size(); ++i)
    findings.near(registry<SolverPlugin>()[i].name + ": combinations that are not finite", 0, broken[i], 0);
}

}  // namespace

ExperimentPlugin experiment_E68() {
  return {.title = "Solvers stay finite over the range of steps and stiffnesses",
          .source = "ledwon2024",
          .shows = "Section 3.8",
          .doc = "The released beam for 4 x 8 combinations by every registered solver.",
          .params = {integer("cells", 2, between(1, 24), "cells across the beam"),
                     integer("iterations", 60, between(2, 100000), "iterations of every run")},
          .quick = Quick{},
          .run = run};
}

}  // namespace resilin
