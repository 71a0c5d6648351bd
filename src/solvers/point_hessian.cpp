#include "solvers/point_hessian.h"

#include <algorithm>
#include <cmath>

#include "resilin/global_energy.h"

namespace resilin {

void PointHessian::prepare(Problem& problem, Linearisation& at) {
  const bool same = current(problem);
  if (!solver_ || structure_ != problem.revision().structure || pattern_ != at.pattern_stamp()) {
    matrix_ = at.pattern(), pattern_ = at.pattern_stamp();
    solver_.reset();  // should the analysis be stopped, none is at hand
    auto solver = inner_.make(problem);
    solver->analyse(matrix_);
    solver_ = std::move(solver);
    packed_.resize(static_cast<std::size_t>(matrix_.size()) * 3);
  }
  if (function_ != problem.revision().function) find_isolated_components(problem);
  function_ = problem.revision().function;
  revision_ = problem.revision().energy, structure_ = problem.revision().structure;
  if (!same) inner_.prepare(*solver_, problem);
}

// Not current until it is done: it may be stopped.
bool PointHessian::factorise_matrix(const Problem& problem) {
  tau_ = 0;
  const bool good = solver_->factorise(matrix_, problem.space().pool()).positive_definite;
  tau_ = problem.stage().tau;
  return good;
}

bool PointHessian::factorise(Problem& problem, const double* y, bool filter) {
  Linearisation& at = problem.linearise(y);
  prepare(problem, at);
  at.assemble(matrix_, filter);
  const bool curved = (inner_.direct() || !filter) && add_curvature(problem, y);
  bool good = factorise_matrix(problem);
  if (!good && curved && filter) {
    at.assemble(matrix_, filter);
    good = factorise_matrix(problem);
  }
  if (good) hold_global_energies(problem, y);
  return good;
}

// k c d2c of couplings, between vertices that an element couples too; false: there is none.
bool PointHessian::add_curvature(const Problem& problem, const double* y) {
  const auto& free = problem.space().free_index();
  for (const auto& energy : problem.elements().model().global_energies) {
    const double pull = energy->stiffness() * energy->constraint(y, 3, nullptr);
    energy->curvature(y, [&](int v, int w, const std::array<double, 9>& block) {
      if (free[v] < 0 || free[w] < 0) return;
      const bool turned = free[v] < free[w];
      const int slot = matrix_.find(std::max(free[v], free[w]), std::min(free[v], free[w]));
      for (int i = 0; slot >= 0 && i < 9; ++i)
        matrix_.value[9 * static_cast<std::size_t>(slot) + static_cast<std::size_t>(i)] +=
            pull * block[static_cast<std::size_t>(turned ? 3 * (i % 3) + i / 3 : i)];
    });
  }
  return !problem.elements().model().global_energies.empty();
}

void PointHessian::hold_global_energies(Problem& problem, const double* y) {
  interface_rows_.update(problem, y, false, [&](const double* r, double* d) { solve_sparse(problem, r, d); });
}

double PointHessian::factorise_shifted(Problem& problem, const double* y) {
  Linearisation& at = problem.linearise(y);
  prepare(problem, at);
  at.assemble(matrix_, false);
  add_curvature(problem, y);
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
    if (factorise_matrix(problem)) {
      hold_global_energies(problem, y);
      return shift;
    }
    if (shift > 1e12 * unit) break;
  }
  return -1;
}

void PointHessian::solve(Problem& problem, const double* r, double* d) {
  note_mean_steps(problem, r);  // first: r and d may be the same array
  solve_sparse(problem, r, d);
  interface_rows_.correct(problem, d);
  set_mean_steps(problem, d);
}

void PointHessian::solve_sparse(const Problem& problem, const double* r, double* d) {
  const auto& free = problem.space().free_index();
  for (int v = 0; v < problem.space().vertices(); ++v)
    for (int k = 0; free[v] >= 0 && k < 3; ++k) packed_[3 * free[v] + k] = r[3 * v + k];
  solver_->solve(packed_.data(), packed_.data(), problem.space().pool());
  for (int v = 0; v < problem.space().vertices(); ++v)
    for (int k = 0; k < 3; ++k) d[3 * v + k] = free[v] >= 0 ? packed_[3 * free[v] + k] : 0;
}

// Floating components that no obstacle can touch: contact counts in this Hessian, so there the mean step is not
// known in advance.
void PointHessian::find_isolated_components(const Problem& problem) {
  std::vector<char> touched(static_cast<std::size_t>(problem.space().vertices()), 0);
  for (const Term& term : problem.elements().model().terms)
    for (int i = 0; !term.elements.translation_free() && i < term.elements.size(); ++i)
      for (const int v : term.elements.vertices(i)) touched[v] = 1;
  for (const Term& term : problem.elements().model().listed)
    for (int i = 0; i < term.elements.size(); ++i)
      for (const int v : term.elements.vertices(i)) touched[v] = 1;
  isolated_ = problem.space().floating_components();
  std::erase_if(isolated_, [&](const auto& c) {
    return std::any_of(c.begin(), c.end(), [&](int v) { return touched[v] != 0; });
  });
}

// sum m d = tau^2 sum r.
void PointHessian::note_mean_steps(const Problem& problem, const double* r) {
  const double tau2 = problem.stage().tau * problem.stage().tau;
  wanted_.clear();
  for (const auto& component : isolated_)
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (const int v : component) sum += tau2 * r[3 * v + k];
      wanted_.push_back(sum);
    }
}

void PointHessian::set_mean_steps(const Problem& problem, double* d) const {
  const auto mass = problem.space().coordinates().vertex_mass();
  const double* wanted = wanted_.data();
  for (const auto& component : isolated_)
    for (int k = 0; k < 3; ++k) {
      double gap = *wanted++, total = 0;
      for (const int v : component) gap -= mass[v] * d[3 * v + k], total += mass[v];
      for (const int v : component) d[3 * v + k] += gap / total;
    }
}

}  // namespace resilin
