#include "solvers/energy_guard.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace resilin {
namespace {

// Little by little at first: most that break the bound break it slightly, and the rigid start may be far from where they should be.
constexpr double shares[] = {1, 1 - 1.0 / 256, 1 - 1.0 / 64, 1 - 1.0 / 16, 0.75, 0.25, 0};
constexpr int most_rounds = std::size(shares) - 1;

}  // namespace

// balance_[c] = K(v) - K(v^p) - f . (y - o), by component.
void EnergyGuard::measure(Objective& objective, const Stage& stage, const std::vector<double>& y) {
  const auto& free = objective.free_index();
  const auto& mass = objective.model().mass;
  objective.components().sum(
      objective.pool(), 1, sums_, balance_, [&](std::ptrdiff_t b, std::ptrdiff_t e, double* sums) {
        for (std::ptrdiff_t i = b; i < e; ++i) {
          if (free[i / 3] < 0) continue;
          const double v = (y[i] - stage.origin[i]) / stage.tau;
          const double before = (stage.target[i] - stage.origin[i]) / stage.tau - stage.tau * external_[i];
          sums[0] += mass[i / 3] * (0.5 * (v * v - before * before) - stage.tau * external_[i] * v);
        }
      });
}

// After an evaluation at the point that was measured.
bool EnergyGuard::keeps(const Objective& objective, int c) const {
  const double slack = objective.round_off(c);
  return balance_[c] + objective.potential(c) <= first_potential_[c] + slack &&
         objective.value(c) <= rigid_value_[c] + slack;
}

void EnergyGuard::apply(Objective& objective, const Stage& stage, const std::vector<double>& rigid,
                        std::vector<double>& y, DescentWorkspace& w, SolveReport& report) {
  const std::size_t count = w.bodies.size();
  for (std::size_t c = 0; c < count; ++c) w.active[c] = w.bodies[c].state != Descending::Phase::converged;
  objective.set_active(w.active);
  if (objective.components().active_count() == 0) return;
  external_.resize(y.size());
  objective.external(stage.time, external_.data());
  w.trial = stage.origin;
  for (int v = 0; v < objective.vertices(); ++v)
    if (objective.free_index()[v] < 0) std::copy_n(&y[3 * v], 3, &w.trial[3 * v]);
  const auto values = [&](const std::vector<double>& at, bool potential, std::vector<double>& to) {
    objective.evaluate(at.data(), nullptr);
    ++report.evaluations;
    to.assign(count, 0.0);
    for (std::size_t c = 0; c < count; ++c)
      to[c] = potential ? objective.potential(static_cast<int>(c)) : objective.value(static_cast<int>(c));
  };
  values(w.trial, true, first_potential_);
  values(rigid, false, rigid_value_);
  w.trial = y;
  for (int round = 0; round <= most_rounds; ++round) {
    objective.evaluate(w.trial.data(), nullptr);
    ++report.evaluations;
    measure(objective, stage, w.trial);
    for (std::size_t c = 0; c < count; ++c) {
      if (w.active[c] == 0 || !(keeps(objective, static_cast<int>(c)) || round == most_rounds)) continue;
      const double square = w.bodies[c].square;  // the gradient was not asked for
      w.bodies[c].take(objective, static_cast<int>(c));
      w.bodies[c].square = square;
      w.active[c] = 0;
    }
    objective.set_active(w.active);
    if (objective.components().active_count() == 0) break;
    const double share = shares[round + 1];
    objective.components().each(objective.pool(), [&](std::ptrdiff_t b, std::ptrdiff_t e, int) {
      for (std::ptrdiff_t i = b; i < e; ++i) w.trial[i] = rigid[i] + share * (y[i] - rigid[i]);
    });
  }
  y.swap(w.trial);
}

}  // namespace resilin
