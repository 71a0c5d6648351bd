#include "solvers/precondition/point_hessian.h"

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
  find_mean_steps(problem);
  revision_ = problem.revision().energy, structure_ = problem.revision().structure;
  if (!same) inner_.prepare(*solver_, problem);
}

// Not current until it is done: it may be stopped.
bool PointHessian::factorise_matrix(const Problem& problem) {
  tau_ = 0;
  const bool good = problem.space().factorise(*solver_, matrix_).positive_definite;
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
  for (const auto& energy : problem.blocks().global_energies()) {
    const double pull = energy->stiffness() * energy->constraint(y, 3, nullptr);
    energy->curvature(y, [&](int v, int w, const std::array<double, 9>& block) {
      if (free[v] < 0 || free[w] < 0) return;
      const bool turned = free[v] < free[w];
      const int slot = matrix_.find(std::max(free[v], free[w]), std::min(free[v], free[w]));
      for (int i = 0; slot >= 0 && i < 9; ++i)
        matrix_.value[9 * slot + i] += pull * block[turned ? 3 * (i % 3) + i / 3 : i];
    });
  }
  return !problem.blocks().global_energies().empty();
}

void PointHessian::hold_global_energies(Problem& problem, const double* y) {
  sparse_.problem = &problem;
  with_global_.set(problem, problem.linearise(y).rank_one());
}

double PointHessian::factorise_shifted(Problem& problem, const double* y) {
  Linearisation& at = problem.linearise(y);
  prepare(problem, at);
  at.assemble(matrix_, false);
  add_curvature(problem, y);
  double squares = 0, least = 0;
  for (const double v : matrix_.value) squares += v * v;
  const auto diagonal = [&](int row) { return &matrix_.value[9 * std::size_t(matrix_.start[row + 1] - 1)]; };
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
  sparse_.problem = &problem;
  mean_step_.note(problem, r);
  with_global_.apply(r, d);
  mean_step_.correct(problem, d);
}

void PointHessian::Sparse::apply(const double* r, double* d) {
  const Space& space = problem->space();
  const auto& free = space.free_index();
  std::vector<double>& packed = of.packed_;
  for (std::size_t v = 0; v < free.size(); ++v)
    for (std::size_t k = 0; free[v] >= 0 && k < 3; ++k) packed[3 * free[v] + k] = r[3 * v + k];
  space.solve(*of.solver_, packed.data(), packed.data());
  for (std::size_t v = 0; v < free.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) d[3 * v + k] = free[v] >= 0 ? packed[3 * free[v] + k] : 0;
}

// Contact counts in this Hessian: the mean step is known of islands that no obstacle and no drag can touch.
void PointHessian::find_mean_steps(const Problem& problem) {
  const Space& space = problem.space();
  std::vector<char> held(space.components().count(), 0);
  const auto hold = [&](int v) { held[space.component()[v]] = 1; };
  for (const int v : problem.elements().held_vertices()) hold(v);
  for (const Term& term : problem.blocks().drag_terms())
    for (int i = 0; i < term.elements.size(); ++i)
      for (const int v : term.elements.vertices(i)) hold(v);
  islands_ = free_islands(space, held);
  std::vector<MeanStep::Group> groups;
  for (const auto& vertices : islands_) groups.push_back({vertices});
  mean_step_.set(std::move(groups));
}

}  // namespace resilin
