#include "solvers/constant_hessian.h"

#include <algorithm>

#include "objective/vectors.h"
#include "resilin/registry.h"

namespace resilin {

bool ConstantHessian::prepare(Objective& objective) {
  ++clock_;
  for (int i = 0; i < 2; ++i) {
    if (slots_[i].solver && slots_[i].tau == objective.tau() && slots_[i].revision == objective.revision()) {
      slots_[i].age = clock_;
      current_ = i;
      return false;
    }
  }
  current_ = slots_[0].age <= slots_[1].age ? 0 : 1;
  Slot& slot = slots_[current_];
  const SymmetricMatrix matrix = objective.quadratic();
  slot.solver = plugin<LinearSolverPlugin>("linear solver", linear_, "solver").make();
  slot.solver->analyse(matrix);
  slot.factorisation = slot.solver->factorise(matrix, objective.pool());
  slot.tau = objective.tau();
  slot.revision = objective.revision();
  slot.age = clock_;
  packed_.resize(static_cast<std::size_t>(matrix.size()) * 3);
  return true;
}

void ConstantHessian::solve(Objective& objective, const double* r, double* d) {
  const auto& free = objective.free_index();
  const bool all_free = objective.free_vertices() == objective.vertices();
  const LinearSolver& solver = *slots_[current_].solver;
  note_mean_steps(objective, r);  // first: r and d may be the same array
  if (all_free) {
    solver.solve(r, d, objective.pool());
  } else {
    for (int v = 0; v < objective.vertices(); ++v)
      if (free[v] >= 0) std::copy_n(r + 3 * v, 3, packed_.data() + 3 * free[v]);
    solver.solve(packed_.data(), packed_.data(), objective.pool());
    for (int v = 0; v < objective.vertices(); ++v) {
      if (free[v] >= 0) std::copy_n(packed_.data() + 3 * free[v], 3, d + 3 * v);
      else std::fill_n(d + 3 * v, 3, 0.0);
    }
  }
  set_mean_steps(objective, d);
}

// sum m d = tau^2 sum r over a floating component.
void ConstantHessian::note_mean_steps(const Objective& objective, const double* r) {
  const double tau2 = objective.tau() * objective.tau();
  mean_.assign(3 * objective.floating_components().size(), 0.0);
  double* wanted = mean_.data();
  for (const auto& component : objective.floating_components()) {
    for (const int v : component)
      for (int k = 0; k < 3; ++k) wanted[k] += tau2 * r[3 * v + k];
    wanted += 3;
  }
}

void ConstantHessian::set_mean_steps(const Objective& objective, double* d) const {
  const auto& mass = objective.model().mass;
  const double* wanted = mean_.data();
  for (const auto& component : objective.floating_components()) {
    double found[3] = {}, total = 0;
    for (const int v : component) {
      total += mass[v];
      for (int k = 0; k < 3; ++k) found[k] += mass[v] * d[3 * v + k];
    }
    for (const int v : component)
      for (int k = 0; k < 3; ++k) d[3 * v + k] += (wanted[k] - found[k]) / total;
    wanted += 3;
  }
}

}  // namespace resilin
