#include "solvers/precondition/coarse.h"

namespace resilin {

void Coarse::begin(Problem& problem, Operator& inner, Factor& factor, int modes) {
  problem_ = &problem, inner_ = &inner, linearised_ = false;
  if (modes == 0) return;
  const Profiler::Scope phase(problem.profiler(), Phase::coarse);
  if (!space().current(problem, modes)) current_ = 1 - current_;
  if (!space().current(problem, modes)) space().make(problem, factor, modes);
}

void Coarse::linearise(const double* y, const ObstacleLevel& obstacles) {
  space().linearise(*problem_, y, obstacles);
  linearised_ = true;
}

void Coarse::renew_contact(const ObstacleLevel& obstacles) {
  if (linearised_) space().renew_contact(*problem_, obstacles);
}

void Coarse::apply(const double* r, double* d) {
  if (!linearised_) return inner_->apply(r, d);
  {
    const Profiler::Scope phase(problem_->profiler(), Phase::coarse);
    space().restrict(*problem_, r);  // first: r and d may be the same array
  }
  inner_->apply(r, d);
  const Profiler::Scope phase(problem_->profiler(), Phase::coarse);
  space().add_correction(*problem_, d);
}

}  // namespace resilin
