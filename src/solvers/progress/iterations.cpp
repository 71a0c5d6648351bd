#include "solvers/progress/iterations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "resilin/watch.h"

namespace resilin {

Params stop_params(int iterations) {
  return {integer("iterations", iterations, between(1, 1000000),
                  "iterations per stage at most; a time step is one stage, or two with tr_bdf2"),
          number("tolerance", "1/s^2", 0.25, at_least(0),
                 "stop when the acceleration error of every body, divided by its size, is at most this"),
          number("gradient_tolerance", "", 0, between(0, 1),
                 "above 0: stop when the gradient norm has fallen to this fraction of its start, in place of "
                 "tolerance; 0: off"),
          number("budget", "s", 0, at_least(0),
                 "wall-clock time per stage; an iteration that would exceed it is not begun; 0: no limit")};
}

StopRule stop_rule(const Settings& s) {
  StopRule rule;
  rule.iterations = s.integer("iterations");
  rule.tolerance = s.number("tolerance");
  // What is stated goes before what a method presets.
  const bool preset = s.has("tolerance") && !s.has("gradient_tolerance");
  rule.gradient = preset ? 0 : s.number("gradient_tolerance");
  rule.seconds = s.number("budget");
  return rule;
}

// One unit in the last place of the positions, times the inertia that it costs: scales with the problem's own
// units.
double residual_floor(const Problem& problem) {
  const double weight = 1 / (problem.stage().tau * problem.stage().tau);
  return 8 * std::numeric_limits<double>::epsilon() * weight * problem.space().total_mass() *
         problem.space().model_size();
}

Iterations::Iterations(const StopRule& rule, const Problem& problem, Pace& pace, SolveReport& report)
    : rule_(rule), problem_(problem), pace_(pace), report_(report), floor_(residual_floor(problem)) {
  pace_.begin(rule.seconds);
}

double Iterations::error(int component, double decrement) const {
  const double acceleration =
      std::sqrt(std::max(0.0, decrement) / problem_.space().island(component).mass) / problem_.stage().tau;
  return acceleration / problem_.space().island(component).size;
}

bool Iterations::accurate(int component, double decrement, double potential) const {
  constexpr double share = 1e-4;  // of the energy: a hundredth of a small deformation
  return rule_.gradient == 0 && error(component, decrement) <= rule_.tolerance &&
         decrement <= 2 * share * std::max(1.0, rule_.tolerance / 0.25) *
                          (std::abs(potential) + problem_.space().island(component).kinetic);
}

bool Iterations::go_on() {
  if (report_.iterations >= rule_.iterations) report_.status = Status::iteration_limit;
  else if (!pace_.fits(problem_.profiler().seconds())) report_.status = Status::time_limit;
  else if ((rule_.cancel != nullptr && rule_.cancel->load()) ||
           (Watch::current() != nullptr && Watch::current()->stops()))
    report_.status = Status::cancelled;
  else return true;
  return false;
}

void note_errors(std::span<const double> errors, SolveReport& report) {
  report.error = -1;
  for (std::size_t c = 0; c < errors.size(); ++c)
    if (!(errors[c] <= report.error)) report.error = errors[c], report.worst = static_cast<int>(c);
}

}  // namespace resilin
