// The loop of every solver: its pace, the one stop rule (errors against the tolerance, the limit of iterations, the
// budget, cancellation), the trace.
#pragma once
#include <span>
#include <vector>

#include "problem/problem.h"
#include "resilin/solver.h"

namespace resilin {

/// Keeps a stage within its wall-clock budget: the next iteration is expected to take as long as those before it,
/// of this stage and of former ones, and is not begun when it would end too late. What is done then depends on the
/// machine: a run with a budget is not reproducible to the bit, unless the budget never binds.
class Pace {
 public:
  /// A stage with so many seconds begins; 0: no limit.
  void begin(double budget) { budget_ = budget, last_ = -1; }
  /// At the top of the loop, `now` seconds into the stage: whether another iteration fits. The first one always
  /// does, since a stage left at its target would not feel any force.
  bool fits(double now) {
    if (budget_ == 0) return true;
    if (last_ >= 0) measured(now - last_);
    const bool first = last_ < 0;
    last_ = now;
    return first || now + iteration_ <= budget_;
  }

 private:
  // A mean that forgets: iterations grow dearer when line searches need more trials. One hiccup of the machine
  // counts little.
  void measured(double seconds) {
    if (iteration_ > 0 && seconds > most * iteration_) seconds = most * iteration_;
    iteration_ = iteration_ > 0 ? iteration_ + weight * (seconds - iteration_) : seconds;
  }
  static constexpr double weight = 0.2, most = 4;

  double budget_ = 0, last_ = -1, iteration_ = 0;
};

class Iterations {
 public:
  Iterations(const StopRule& rule, const Problem& problem, Pace& pace, SolveReport& report);

  /// The error of a component (StopRule) whose g . B g is `decrement`.
  double error(int component, double decrement) const;
  /// Whether that error is small enough, and what is left to gain small against the energy that is there
  /// (`potential`, and the kinetic one): a stiff body at rest is hardly deformed, and wanted so.
  bool accurate(int component, double decrement, double potential) const;
  /// Whether |g| of the whole is small enough: by the rule of the gradient, or because it is what rounding of
  /// positions leaves.
  bool balanced(double residual) const {
    return residual <= rule_.gradient * report_.first_residual || residual <= floor_;
  }
  /// Whether errors are wanted at all.
  bool by_error() const { return rule_.gradient == 0 && rule_.tolerance > 0; }
  double tolerance() const { return rule_.tolerance; }
  /// Whether another iteration may begin; if not, the status says why.
  bool go_on();
  bool last() const { return report_.iterations + 1 >= rule_.iterations; }

 private:
  const StopRule& rule_;
  const Problem& problem_;
  Pace& pace_;
  SolveReport& report_;
  double floor_;
};

/// The worst of all errors, by component, for the report.
void note_errors(std::span<const double> errors, SolveReport& report);

/// Residuals below this are what rounding of positions leaves.
double residual_floor(const Problem& problem);

/// The trace of iterations, for every solver. What measuring costs does not count.
class Recorder {
 public:
  /// Its clock begins now.
  Recorder(Solver& solver, const Problem& problem, SolveReport& report);
  /// Records are wanted.
  bool on() const { return solver_.tracing || solver_.observe; }
  /// `record.seconds` is set here.
  void record(IterationRecord record, const std::vector<double>& y);

 private:
  Solver& solver_;
  Profiler& profiler_;
  SolveReport& report_;
  double start_;
};

}  // namespace resilin
