#include "resilin/solver.h"

#include "problem/problem.h"
#include "solvers/progress/iterations.h"

namespace resilin {

Phases& Phases::operator+=(const Phases& more) {
  local += more.local, global += more.global, line_search += more.line_search;
  coarse += more.coarse, history += more.history, contact += more.contact, other += more.other;
  return *this;
}

SolveReport Solver::solve(Problem& problem, std::vector<double>& y, Memory& memory, const StopRule& stop) {
  problem.budget().begin(stop.seconds);
  return minimise(problem, y, memory, stop);
}

Recorder::Recorder(Solver& solver, const Problem& problem, SolveReport& report)
    : solver_(solver), profiler_(problem.profiler()), report_(report), start_(profiler_.seconds()) {}

void Recorder::record(IterationRecord record, const std::vector<double>& y) {
  if (!on()) return;
  const Profiler::Scope pause(profiler_, Phase::paused);
  record.seconds = profiler_.seconds() - start_;
  if (solver_.tracing) report_.trace.push_back(record);
  if (solver_.observe) solver_.observe(y, record);
}

}  // namespace resilin
