#include "solvers/descent/energy_guard.h"

#include <algorithm>
#include <iterator>

namespace resilin {
namespace {

// Little by little at first: most that break the bound break it slightly, and the rigid start may be far from where
// they should be.
constexpr double shares[] = {1, 1 - 1.0 / 256, 1 - 1.0 / 64, 1 - 1.0 / 16, 0.75, 0.25, 0};
constexpr int most_rounds = std::size(shares) - 1;

}  // namespace

// balance_[c] = K(v) - K(v^p) - f . (y - o), by component.
void EnergyGuard::measure(Problem& problem, const std::vector<double>& y) {
  const Stage& stage = problem.stage();
  const auto& free = problem.space().free_index();
  const auto mass = problem.space().vertex_mass();
  problem.space().sum_by_component(1, sums_, balance_, [&](std::ptrdiff_t b, std::ptrdiff_t e, double* sums) {
    for (std::ptrdiff_t vertex = b / 3; vertex < e / 3; ++vertex)
      for (std::ptrdiff_t i = 3 * vertex; i < 3 * vertex + 3 && free[vertex] >= 0; ++i) {
        const double v = (y[i] - stage.origin[i]) / stage.tau;
        const double before = (stage.target[i] - stage.origin[i]) / stage.tau - stage.tau * external_[i];
        sums[0] += mass[vertex] * (0.5 * (v * v - before * before) - stage.tau * external_[i] * v);
      }
  });
  problem.space().components().share(1, balance_);
}

// After an evaluation at the point that was measured.
bool EnergyGuard::keeps(const Evaluation& here, int c) const {
  const Evaluation::Part& part = here.of(c);
  const double slack = part.round_off();
  return balance_[c] + part.potential <= first_potential_[c] + slack && part.value() <= rigid_value_[c] + slack;
}

void EnergyGuard::apply(Problem& problem, const std::vector<double>& rigid, std::vector<double>& y,
                        DescentWorkspace& w, SolveReport& report) {
  const auto count = static_cast<int>(w.bodies.size());
  for (int c = 0; c < count; ++c) w.active[c] = w.bodies[c].state != Descending::Progress::converged;
  problem.space().set_active(w.active);
  if (problem.space().components().active_count() == 0) return;
  external_ = problem.stage().external;
  external_.resize(y.size(), 0.0);
  w.trial = problem.stage().origin;
  for (int v = 0; v < problem.space().vertices(); ++v)
    if (problem.space().free_index()[v] < 0) std::copy_n(&y[3 * v], 3, &w.trial[3 * v]);
  const auto evaluate = [&](const std::vector<double>& at) {
    w.here = problem.evaluate(at.data(), nullptr, std::move(w.here));
    ++report.evaluations;
  };
  first_potential_.resize(count), rigid_value_.resize(count);
  evaluate(w.trial);
  for (int c = 0; c < count; ++c) first_potential_[c] = w.here.of(c).potential;
  evaluate(rigid);
  for (int c = 0; c < count; ++c) rigid_value_[c] = w.here.of(c).value();
  w.trial = y;
  for (int round = 0; round <= most_rounds; ++round) {
    evaluate(w.trial);
    measure(problem, w.trial);
    for (int c = 0; c < count; ++c) {
      if (w.active[c] == 0 || !(keeps(w.here, c) || round == most_rounds)) continue;
      const double square = w.bodies[c].square;  // the gradient was not asked for
      w.bodies[c].take(w.here.of(c));
      w.bodies[c].square = square;
      w.active[c] = 0;
    }
    problem.space().set_active(w.active);
    if (problem.space().components().active_count() == 0) break;
    const double share = shares[round + 1];
    problem.space().vectors().mix(rigid.data(), share, y.data(), w.trial.data());
    // The rigid motion itself is safe.
    if (share > 0 && limits_steps(problem)) problem.limit_step(y.data(), w.trial.data(), w.part, true);
  }
  y.swap(w.trial);
}

}  // namespace resilin
