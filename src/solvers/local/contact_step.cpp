#include "solvers/local/contact_step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace resilin {
namespace {

constexpr int most_iterations = 200;  // of conjugate gradients
constexpr int most_steps = 4;         // of one global step
constexpr double enough = 0.01;       // what is left to gain of the first step's gain: then it is least
constexpr int most_cuts = 20;         // of a step
constexpr double armijo = 0.1;        // share of the gain that is asked for
constexpr double rounding = 1e-12;
constexpr double tolerance = 1e-2;  // of a direction

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// On free vertices: the others do not move.
void add_stiffness(const Problem& problem, const PairStiffness& pair, const std::vector<double>& p,
                   std::vector<double>& to) {
  double u[3] = {};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 3; ++k) u[k] += pair.weight[i] * p[3 * pair.vertices[i] + k];
  const auto& h = pair.hessian;
  const double force[3] = {h[0] * u[0] + h[1] * u[1] + h[3] * u[2], h[1] * u[0] + h[2] * u[1] + h[4] * u[2],
                           h[3] * u[0] + h[4] * u[1] + h[5] * u[2]};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < 3 && problem.space().free_index()[pair.vertices[i]] >= 0; ++k)
      to[3 * pair.vertices[i] + k] += pair.weight[i] * force[k];
}

}  // namespace

int PairSolve::run(const Problem& problem, std::span<const PairStiffness> pairs, Operator& inverse, double accuracy,
                   std::vector<double>& d) {
  const std::size_t n = d.size();
  residual_ = d, z_.resize(n), p_.resize(n), hp_.resize(n);
  inverse.apply(residual_.data(), z_.data());
  p_ = z_, hp_ = residual_;
  std::fill(d.begin(), d.end(), 0.0);
  double rz = dot(residual_, z_);
  const double least = accuracy * accuracy * rz;
  int i = 0;
  for (; i < most_iterations && rz > least; ++i) {
    kp_ = hp_;
    for (const PairStiffness& pair : pairs) add_stiffness(problem, pair, p_, kp_);
    const double alpha = rz / dot(p_, kp_);
    for (std::size_t k = 0; k < n; ++k) d[k] += alpha * p_[k], residual_[k] -= alpha * kp_[k];
    inverse.apply(residual_.data(), z_.data());
    const double next = dot(residual_, z_), beta = next / rz;
    rz = next;
    for (std::size_t k = 0; k < n; ++k) p_[k] = z_[k] + beta * p_[k], hp_[k] = residual_[k] + beta * hp_[k];
  }
  return i;
}

int ContactStep::run(Problem& problem, Function function, std::vector<double>& y) {
  for (auto* each : {&gradient_, &direction_, &trial_, &trial_gradient_, &taken_}) each->resize(y.size());
  evaluations_ = 1;
  value_ = function(y, gradient_);
  double first = 0;
  for (int i = 0; i < most_steps; ++i) {
    find_direction(problem, y);
    const double slope = problem.space().vectors().dot(gradient_.data(), direction_.data());
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
    double gain = 0;
    for (const bool alike : {false, true}) {
      vectors.add(y.data(), length, direction_.data(), trial_.data());
      limited = problem.limit_step(y.data(), trial_.data(), part_, alike);
      vectors.add(trial_.data(), -1, y.data(), taken_.data());
      gain = vectors.dot(gradient_.data(), taken_.data());
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

}  // namespace resilin
