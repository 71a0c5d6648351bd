#include "resilin/solver.h"

#include <fmt/format.h>

#include "objective/objective.h"
#include "resilin/errors.h"
#include "solvers/recorder.h"

namespace resilin {

void refuse_coupled(const Objective& objective, const std::string& solver) {
  for (const auto& contact : objective.model().contact)
    if (contact->couples())
      throw InputError("solver",
                       fmt::format("{} cannot take contact between bodies: its global step does not know who "
                                   "touches whom; use quasi_newton or newton, or \"contact\": false",
                                   solver));
}

Phases& Phases::operator+=(const Phases& more) {
  local += more.local, global += more.global, line_search += more.line_search;
  coarse += more.coarse, history += more.history, other += more.other;
  return *this;
}

SolveReport Solver::solve(Objective& objective, const Stage& stage, std::vector<double>& y, Memory& memory,
                          const StopRule& stop) {
  objective.profiler().restart();
  objective.recall(stage, memory);
  objective.begin_barriers(stage);
  SolveReport report = minimise(objective, stage, y, memory, stop);
  objective.end_barriers(stage, y.data());
  objective.remember(y.data(), memory);
  report.phases = objective.profiler().phases();
  return report;
}

Recorder::Recorder(Solver& solver, const Objective& objective, SolveReport& report)
    : solver_(solver), profiler_(objective.profiler()), report_(report), start_(profiler_.seconds()) {}

void Recorder::record(IterationRecord record, const std::vector<double>& y) {
  if (!solver_.tracing && !solver_.observe) return;
  const Profiler::Scope pause(profiler_, Phase::paused);
  record.seconds = profiler_.seconds() - start_;
  if (solver_.tracing) report_.trace.push_back(record);
  if (solver_.observe) solver_.observe(y, record);
}

}  // namespace resilin
