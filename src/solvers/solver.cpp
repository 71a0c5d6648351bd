#include "resilin/solver.h"

#include <fmt/format.h>

#include <algorithm>

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
  if (objective.has_contact()) begun_ = y;
  SolveReport report = minimise(objective, stage, y, memory, stop);
  while (objective.has_contact() && report.status != Status::not_finite && report.status != Status::cancelled &&
         !objective.settled(stage, y.data(), memory))
    report = solve_again(objective, stage, y, memory, stop, std::move(report));
  objective.remember(y.data(), memory);
  report.phases = objective.profiler().phases();
  return report;
}

// What was left out is known now. What the first attempt has cost counts; its trace does not.
SolveReport Solver::solve_again(Objective& objective, const Stage& stage, std::vector<double>& y, Memory& memory,
                                StopRule stop, const SolveReport& before) {
  y = begun_;
  objective.begin(stage);
  objective.rejoin();
  if (stop.seconds > 0) stop.seconds = std::max(0.25 * stop.seconds, stop.seconds - objective.profiler().seconds());
  SolveReport report = minimise(objective, stage, y, memory, stop);
  report.iterations += before.iterations, report.evaluations += before.evaluations;
  report.line_searches += before.line_searches, report.factorisations += before.factorisations;
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
