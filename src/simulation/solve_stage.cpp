#include "simulation/solve_stage.h"

#include <algorithm>

namespace resilin {
namespace {

// Solved again, a stage has at least this share of its budget.
constexpr double least_budget = 0.25;

bool usable(const SolveReport& report) {
  return report.status != Status::not_finite && report.status != Status::cancelled;
}

// The cost of an attempt that left contacts out counts, and so do its records.
void add_attempt(SolveReport& report, SolveReport&& before) {
  report.iterations += before.iterations, report.evaluations += before.evaluations;
  report.line_searches += before.line_searches, report.factorisations += before.factorisations;
  report.trace.insert(report.trace.begin(), before.trace.begin(), before.trace.end());
}

// Back to the guess, with pinned vertices in place.
void restart(const DynamicSystem& system, const Stage& stage, std::vector<double>& y) {
  y = stage.guess;
  std::vector<double> ignored(y.size());
  system.space().coordinates().prescribe(stage.time, y.data(), ignored.data());
}

}  // namespace

SolveReport solve_stage(DynamicSystem& system, Solver& solver, const Stage& stage, std::vector<double>& y,
                        Memory& memory, const StopRule& stop) {
  system.problem().profiler().restart();
  Problem& problem = system.begin(stage, memory);
  system.begin_guards(stage);
  SolveReport report = solver.solve(problem, y, memory, stop);
  while (usable(report) && !system.all_contacts_listed(stage, y.data(), memory)) {
    restart(system, stage, y);
    system.begin_again(stage);
    StopRule rest = stop;
    if (rest.seconds > 0)
      rest.seconds = std::max(least_budget * rest.seconds, rest.seconds - problem.profiler().seconds());
    SolveReport before = std::move(report);
    report = solver.solve(problem, y, memory, rest);
    add_attempt(report, std::move(before));
  }
  system.end(stage, y, memory);
  report.phases = problem.profiler().phases();
  return report;
}

}  // namespace resilin
