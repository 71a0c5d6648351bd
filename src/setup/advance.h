// A step of an experiment that counts. A step that is not finite is rejected and leaves the state as it was:
// whoever ignores that measures the same state again, and may pass.
#pragma once
#include "resilin/simulation.h"

namespace resilin::setup {

/// Thrown by `advance`; run_experiment makes a row of it that is missed.
struct StepNotFinite {};

inline StepReport advance(Simulation& simulation) {
  StepReport report = simulation.step();
  if (report.status == Status::not_finite) throw StepNotFinite{};
  return report;
}

/// So many of them.
inline void advance(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) advance(simulation);
}

}  // namespace resilin::setup
