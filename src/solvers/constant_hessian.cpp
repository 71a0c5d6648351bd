#include "solvers/constant_hessian.h"

#include <algorithm>

#include "objective/vectors.h"

namespace resilin {

bool ConstantHessian::prepare(Objective& objective) {
  if (recall(objective)) return false;
  held_.assign(objective.floating_components().size(), 0);
  factorise(objective, objective.quadratic());
  return true;
}

bool ConstantHessian::prepare(Objective& objective, const ElementWeights& weights) {
  if (recall(objective)) return false;
  // Obstacles have a weight though they have no stiffness: what can touch them does not float in this matrix.
  std::vector<char> touched(objective.vertices(), 0);
  for (const Term& term : objective.model().terms)
    for (int i = 0; i < term.elements.size() && !term.elements.translation_free(); ++i)
      for (const int v : term.elements.vertices(i)) touched[v] = 1;
  held_.clear();
  for (const auto& component : objective.floating_components())
    held_.push_back(std::any_of(component.begin(), component.end(), [&](int v) { return touched[v] != 0; }));
  factorise(objective, objective.quadratic(weights));
  return true;
}

bool ConstantHessian::recall(const Objective& objective) {
  ++clock_;
  for (int i = 0; i < 2; ++i) {
    if (slots_[i].solver && slots_[i].tau == objective.tau() && slots_[i].revision == objective.stiffness_revision()) {
      slots_[i].age = clock_;
      current_ = i;
      return true;
    }
  }
  return false;
}

void ConstantHessian::factorise(Objective& objective, const SymmetricMatrix& matrix) {
  current_ = slots_[0].age <= slots_[1].age ? 0 : 1;
  Slot& slot = slots_[current_];
  slot.solver = inner_.make();
  slot.solver->analyse(matrix);
  inner_.prepare(*slot.solver, objective);
  slot.factorisation = slot.solver->factorise(matrix, objective.pool());
  slot.tau = objective.tau();
  slot.revision = objective.stiffness_revision();
  slot.age = clock_;
  packed_.resize(static_cast<std::size_t>(matrix.size()) * 3);
}

void ConstantHessian::solve(Objective& objective, const double* r, double* d) {
  const auto& free = objective.free_index();
  const bool all_free = objective.free_vertices() == objective.vertices();
  const LinearSolver& solver = *slots_[current_].solver;
  note_mean_steps(objective, r);  // first: r and d may be the same array
  if (all_free) {
    solver.solve(r, d, objective.pool());
  } else {
    for_chunks(objective.pool(), objective.size(), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t k = b; k < e; k += 3)
        if (free[k / 3] >= 0) std::copy_n(r + k, 3, packed_.data() + 3 * static_cast<std::ptrdiff_t>(free[k / 3]));
    });
    solver.solve(packed_.data(), packed_.data(), objective.pool());
    for_chunks(objective.pool(), objective.size(), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t k = b; k < e; k += 3) {
        if (free[k / 3] >= 0) std::copy_n(packed_.data() + 3 * static_cast<std::ptrdiff_t>(free[k / 3]), 3, d + k);
        else std::fill_n(d + k, 3, 0.0);
      }
    });
  }
  set_mean_steps(objective, d);
}

// sum m d = tau^2 sum r over a floating component.
void ConstantHessian::note_mean_steps(Objective& objective, const double* r) {
  const double tau2 = objective.tau() * objective.tau();
  mean_.assign(3 * objective.floating_components().size(), 0.0);
  double* wanted = mean_.data();
  for (const auto& component : objective.floating_components()) {
    const auto sums = sum_chunks<3>(objective.pool(), std::ssize(component), sums_, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      std::array<double, 3> sum{};
      for (std::ptrdiff_t i = b; i < e; ++i)
        for (int k = 0; k < 3; ++k) sum[k] += r[3 * component[i] + k];
      return sum;
    });
    for (const double sum : sums) *wanted++ = tau2 * sum;
  }
}

void ConstantHessian::set_mean_steps(Objective& objective, double* d) {
  const auto& mass = objective.model().mass;
  const double* wanted = mean_.data();
  for (std::size_t f = 0; f < held_.size(); ++f, wanted += 3) {
    if (held_[f] != 0) continue;
    const auto& component = objective.floating_components()[f];
    const auto sums = sum_chunks<4>(objective.pool(), std::ssize(component), sums_, [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      std::array<double, 4> sum{};
      for (std::ptrdiff_t i = b; i < e; ++i) {
        const int v = component[i];
        for (int k = 0; k < 3; ++k) sum[k] += mass[v] * d[3 * v + k];
        sum[3] += mass[v];
      }
      return sum;
    });
    for_chunks(objective.pool(), std::ssize(component), [&](std::ptrdiff_t b, std::ptrdiff_t e) {
      for (std::ptrdiff_t i = b; i < e; ++i)
        for (int k = 0; k < 3; ++k) d[3 * component[i] + k] += (wanted[k] - sums[k]) / sums[3];
    });
  }
}

}  // namespace resilin
