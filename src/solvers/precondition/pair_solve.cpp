#include "solvers/precondition/pair_solve.h"

#include <algorithm>
#include <numeric>

namespace resilin {
namespace {

constexpr int most_iterations = 200;

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

int PairSolve::run(const Problem& problem, std::span<const PairStiffness> pairs, Operator& inverse,
                   double tolerance, std::vector<double>& d) {
  const std::size_t n = d.size();
  residual_ = d, z_.resize(n), p_.resize(n), hp_.resize(n);
  inverse.apply(residual_.data(), z_.data());
  p_ = z_, hp_ = residual_;
  std::fill(d.begin(), d.end(), 0.0);
  double rz = dot(residual_, z_);
  const double enough = tolerance * tolerance * rz;
  int i = 0;
  for (; i < most_iterations && rz > enough; ++i) {
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

}  // namespace resilin
