#include "solvers/point_hessian.h"

#include <algorithm>
#include <cmath>

#include "resilin/global_energy.h"

namespace resilin {

void PointHessian::prepare(Objective& objective) {
  const bool same = current(objective);
  if (!solver_ || structure_ != objective.revision().structure) {
    matrix_ = objective.hessian_pattern();
    solver_.reset();  // should the analysis be stopped, none is at hand
    auto solver = inner_.make(objective);
    solver->analyse(matrix_);
    solver_ = std::move(solver);
    packed_.resize(static_cast<std::size_t>(matrix_.size()) * 3);
  }
  if (function_ != objective.revision().function) find_isolated_components(objective);
  function_ = objective.revision().function;
  revision_ = objective.revision().energy, structure_ = objective.revision().structure;
  if (!same) inner_.prepare(*solver_, objective);
}

// Not current until it is done: it may be stopped.
bool PointHessian::factorise_matrix(const Objective& objective) {
  tau_ = 0;
  const bool good = solver_->factorise(matrix_, objective.pool()).positive_definite;
  tau_ = objective.tau();
  return good;
}

bool PointHessian::factorise(Objective& objective, const double* y, bool filter) {
  prepare(objective);
  objective.hessian(y, matrix_, filter);
  const bool curved = (inner_.direct() || !filter) && add_curvature(objective, y);
  bool good = factorise_matrix(objective);
  if (!good && curved && filter) {
    objective.hessian(y, matrix_, filter);
    good = factorise_matrix(objective);
  }
  if (good) hold_global_energies(objective, y);
  return good;
}

// k c d2c of couplings, between vertices that an element couples too; false: there is none.
bool PointHessian::add_curvature(const Objective& objective, const double* y) {
  const auto& free = objective.free_index();
  for (const auto& coupling : objective.model().global_energies) {
    const double pull = coupling->stiffness() * coupling->constraint(y, 3, nullptr);
    coupling->curvature(y, [&](int v, int w, const std::array<double, 9>& block) {
      if (free[v] < 0 || free[w] < 0) return;
      const bool turned = free[v] < free[w];
      const int slot = matrix_.find(std::max(free[v], free[w]), std::min(free[v], free[w]));
      for (int i = 0; slot >= 0 && i < 9; ++i)
        matrix_.value[9 * static_cast<std::size_t>(slot) + static_cast<std::size_t>(i)] +=
            pull * block[static_cast<std::size_t>(turned ? 3 * (i % 3) + i / 3 : i)];
    });
  }
  return !objective.model().global_energies.empty();
}

void PointHessian::hold_global_energies(const Objective& objective, const double* y) {
  interface_rows_.update(objective, y, false, [&](const double* r, double* d) { solve_sparse(objective, r, d); });
}

double PointHessian::factorise_shifted(Objective& objective, const double* y) {
  prepare(objective);
  objective.hessian(y, matrix_, false);
  add_curvature(objective, y);
  double squares = 0, least = 0;
  for (const double v : matrix_.value) squares += v * v;
  const auto diagonal = [&](int row) {
    return matrix_.value.data() + 9 * static_cast<std::size_t>(matrix_.start[row + 1] - 1);
  };
  for (int row = 0; row < matrix_.size(); ++row)
    for (int k = 0; k < 3; ++k) least = std::min(least, diagonal(row)[4 * k]);
  // The shift beta of Nocedal and Wright, algorithm 3.3: a thousandth of a typical row.
  const double unit = 1e-3 * std::sqrt(squares / std::max(1, matrix_.size()));
  double shift = 0;
  for (double next = least < 0 ? unit - least : 0; std::isfinite(next); next = std::max(2 * shift, unit)) {
    for (int row = 0; row < matrix_.size(); ++row)
      for (int k = 0; k < 3; ++k) diagonal(row)[4 * k] += next - shift;
    shift = next;
    if (factorise_matrix(objective)) {
      hold_global_energies(objective, y);
      return shift;
    }
    if (shift > 1e12 * unit) break;
  }
  return -1;
}

void PointHessian::solve(Objective& objective, const double* r, double* d) {
  note_mean_steps(objective, r);  // first: r and d may be the same array
  solve_sparse(objective, r, d);
  interface_rows_.correct(objective, d);
  set_mean_steps(objective, d);
}

void PointHessian::solve_sparse(const Objective& objective, const double* r, double* d) {
  const auto& free = objective.free_index();
  for (int v = 0; v < objective.vertices(); ++v)
    for (int k = 0; free[v] >= 0 && k < 3; ++k) packed_[3 * free[v] + k] = r[3 * v + k];
  solver_->solve(packed_.data(), packed_.data(), objective.pool());
  for (int v = 0; v < objective.vertices(); ++v)
    for (int k = 0; k < 3; ++k) d[3 * v + k] = free[v] >= 0 ? packed_[3 * free[v] + k] : 0;
}

// Floating components that no obstacle can touch: contact counts in this Hessian, so there the mean step is not known in advance.
void PointHessian::find_isolated_components(const Objective& objective) {
  std::vector<char> touched(static_cast<std::size_t>(objective.vertices()), 0);
  for (const Term& term : objective.model().terms)
    for (int i = 0; !term.elements.translation_free() && i < term.elements.size(); ++i)
      for (const int v : term.elements.vertices(i)) touched[v] = 1;
  for (const Term& term : objective.model().listed)
    for (int i = 0; i < term.elements.size(); ++i)
      for (const int v : term.elements.vertices(i)) touched[v] = 1;
  isolated_ = objective.floating_components();
  std::erase_if(isolated_, [&](const auto& c) {
    return std::any_of(c.begin(), c.end(), [&](int v) { return touched[v] != 0; });
  });
}

// sum m d = tau^2 sum r.
void PointHessian::note_mean_steps(const Objective& objective, const double* r) {
  const double tau2 = objective.tau() * objective.tau();
  wanted_.clear();
  for (const auto& component : isolated_)
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (const int v : component) sum += tau2 * r[3 * v + k];
      wanted_.push_back(sum);
    }
}

void PointHessian::set_mean_steps(const Objective& objective, double* d) const {
  const auto mass = objective.coordinates().vertex_mass();
  const double* wanted = wanted_.data();
  for (const auto& component : isolated_)
    for (int k = 0; k < 3; ++k) {
      double gap = *wanted++, total = 0;
      for (const int v : component) gap -= mass[v] * d[3 * v + k], total += mass[v];
      for (const int v : component) d[3 * v + k] += gap / total;
    }
}

}  // namespace resilin
