#include "solvers/local/contact_step.h"

#include <cmath>

namespace resilin {
namespace {

constexpr int most_steps = 4;    // of one global step
constexpr double enough = 0.01;  // what is left to gain of the first step's gain: then it is least
constexpr int most_cuts = 20;    // of a step
constexpr double armijo = 0.1;   // share of the gain that is asked for
constexpr double rounding = 1e-12;
constexpr double tolerance = 1e-2;  // of a direction

}  // namespace

int ContactStep::run(Problem& problem, Function function, std::vector<double>& y) {
  for (auto* each : {&gradient_, &direction_, &trial_, &trial_gradient_, &taken_}) each->resize(y.size());
  evaluations_ = 1;
  value_ = function(y, gradient_);
  double first = 0;
  for (int i = 0; i < most_steps; ++i) {
    find_direction(problem, y);
    const double slope = dot(problem, gradient_, direction_);
    if (i == 0) first = slope;
    if (!(slope < enough * first) || !step(problem, function, y)) break;
  }
  return evaluations_;
}

void ContactStep::find_direction(Problem& problem, const std::vector<double>& y) {
  const Profiler::Scope phase(problem.profiler(), Phase::global);
  Linearisation& at = problem.linearise(y.data());
  with_global_.set(problem, at.rank_one());
  for (std::size_t i = 0; i < y.size(); ++i) direction_[i] = -gradient_[i];
  with_pairs_.run(problem, at.pairs(), with_global_, tolerance, direction_);
}

// False: no step along the direction lowers F. A step shortened at single vertices need not lead downhill any more:
// then all vertices of a component are shortened alike.
bool ContactStep::step(Problem& problem, Function function, std::vector<double>& y) {
  const Profiler::Scope phase(problem.profiler(), Phase::line_search);
  Vectors& vectors = problem.space().vectors();
  double length = 1;
  for (int cuts = 0; cuts <= most_cuts; ++cuts, length *= 0.5) {
    const Scaled along{length, direction_.data()}, back{-1, y.data()};
    double gain = 0;
    for (const bool alike : {false, true}) {
      vectors.combine(1, y.data(), std::span(&along, 1), trial_.data());
      limited = problem.limit_step(y.data(), trial_.data(), part_, alike);
      vectors.combine(1, trial_.data(), std::span(&back, 1), taken_.data());
      gain = dot(problem, gradient_, taken_);
      if (gain < 0) break;
    }
    if (!(gain < 0)) return false;
    ++evaluations_;
    const double there = function(trial_, trial_gradient_);
    if (!(there <= value_ + armijo * gain + rounding * std::abs(value_))) continue;
    y.swap(trial_), gradient_.swap(trial_gradient_);
    value_ = there;
    return true;
  }
  return false;
}

double ContactStep::dot(const Problem& problem, const std::vector<double>& a, const std::vector<double>& b) {
  const Vectors::Pair pair{a.data(), b.data()};
  problem.space().vectors().dots(std::span(&pair, 1), sums_);
  double total = 0;
  for (int c = 0; c < problem.space().components().count(); ++c)
    if (problem.space().components().leads(c)) total += sums_[c];
  return total;
}

}  // namespace resilin
