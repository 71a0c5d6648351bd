#include "resilin/solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "objective/objective.h"
#include "resilin/errors.h"
#include "solvers/recorder.h"

namespace resilin {

void refuse_hard(const Objective& objective, const std::string& solver) {
  for (const Term& term : objective.model().terms)
    for (const auto& potential : term.elastic)
      if (potential->response() == Response::hard)
        throw InputError("solver",
                         fmt::format("{} cannot take the hard obstacle \"{}\": it follows gradients, and an "
                                     "inequality has none; use admm or xpbd, or response \"energy\"",
                                     solver, potential->name()));
}

Phases& Phases::operator+=(const Phases& more) {
  local += more.local, global += more.global, line_search += more.line_search;
  coarse += more.coarse, history += more.history, other += more.other;
  return *this;
}

namespace {

// The second phase of Bouaziz et al. 2014, Section 5. It lets bodies pass through each other as little as a step does.
void project(Objective& objective, std::vector<double>& y) {
  std::vector<double> outside = y, part;
  objective.inequalities().project(Response::projected, outside.data(), objective.pool());
  objective.clip(y.data(), outside.data(), part);
  y = std::move(outside);
}

}  // namespace

SolveReport Solver::solve(Objective& objective, const Stage& stage, std::vector<double>& y, Memory& memory,
                          const StopRule& stop) {
  objective.profiler().restart();
  objective.recall(stage, memory);
  if (objective.has_contact()) begun_ = y;
  objective.begin_guards(stage);
  SolveReport report = minimise(objective, stage, y, memory, stop);
  while (objective.has_contact() && report.status != Status::not_finite && report.status != Status::cancelled &&
         !objective.settled(stage, y.data(), memory))
    report = solve_again(objective, stage, y, memory, stop, std::move(report));
  objective.end_guards(stage, y.data());
  if (objective.inequalities().any(Response::projected)) project(objective, y);
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
  if (!on()) return;
  const Profiler::Scope pause(profiler_, Phase::paused);
  record.seconds = profiler_.seconds() - start_;
  if (solver_.tracing) report_.trace.push_back(record);
  if (solver_.observe) solver_.observe(y, record);
}

}  // namespace resilin
