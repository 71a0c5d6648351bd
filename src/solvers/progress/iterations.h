// The one stop rule of all solvers: errors against the tolerance, the limit of iterations, the budget,
// cancellation.
#pragma once
#include <span>

#include "problem/problem.h"
#include "resilin/solver.h"
#include "solvers/progress/pace.h"

namespace resilin {

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

}  // namespace resilin
