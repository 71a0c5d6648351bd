// Unknowns that are fewer than vertices, and elements that stand for many: what hyper-reduction (src/reduction)
// gives the Problem. Phi is then
//
//   1/(2 tau^2) |q - target|^2 with U^T M U, and potentials of sampled elements at U q with the measure of what
//   each stands for
//
// one function of q, whose gradient costs no more on a finer mesh. Local steps of projective dynamics do better
// with the same samples: what elements have of projections is fitted for all of them (Brandt et al. 2018, Section
// 5).
#pragma once

#include "core/thread_pool.h"
#include "linear/sparse_matrix.h"
#include "model/partition.h"
#include "problem/coordinates.h"
#include "resilin/state.h"

namespace resilin {

class Subspace : public Coordinates {
 public:
  /// The model has changed. What depends on the change is made anew.
  virtual void update(const Model& model, ThreadPool& pool) = 0;

  /// Component of each row of unknowns, numbered as those of the model's vertices.
  virtual std::span<const int> row_component() const = 0;
  /// The rows q of one axis at which all vertices are at 1: a translation.
  virtual std::span<const double> translation() const = 0;
  /// The unknowns that are nearest to vertices at x, in the norm of M: of what U can do itself, exactly.
  virtual void project(const double* x, double* q) const = 0;

  /// What is evaluated.
  virtual const SampledElements& sample() const = 0;
  /// Vertices that are lifted in every evaluation, with repetitions. begin_lift says where; then rows [first, last)
  /// of the list, of 4 numbers each, from several threads.
  virtual void list(std::span<const int> vertices) = 0;
  virtual void begin_lift(const double* q) = 0;
  virtual void lift_listed(int first, int last, double* rows) const = 0;
  /// The transpose: adds forces in all rows of the list to g.
  virtual void pull_back_listed(const double* rows, double* g, ThreadPool& pool) const = 0;
  /// U^T (M/tau^2 + sum measure D^T Q D) U of all elements, with Q as `stiffness` sets it: row-major R x R.
  using Stiffness = FunctionRef<void(int term, int element, double* q)>;
  virtual SymmetricMatrix constant_matrix(double tau, Stiffness stiffness, ThreadPool& pool) = 0;

  /// Whether forces of a term are fitted: then they are not scattered.
  virtual bool fits(int term) const = 0;
  /// Which of the sampled elements of a term that fits, by place, stands in each slot of packs of eight; -1 in
  /// padding.
  virtual void arrange(int term, std::span<const int> places) = 0;
  /// p of the elements in a pack: [3R][8]. From several threads.
  virtual void take_projections(int term, int pack, const double* p) = 0;
  /// A stage begins, or Q has changed: what all evaluations of fitted forces have in common. Q is that of the last
  /// constant_matrix.
  virtual void begin_fitted(double tau, const double* target, ThreadPool& pool) = 0;
  /// g = U^T M U (q - target)/tau^2 + U^T sum measure D^T (Q D U q - k p), k = trace Q / R, over all elements of
  /// terms that fit, where p is known of the sampled ones.
  virtual void fitted_gradient(const double* q, double* g, ThreadPool& pool) = 0;

  /// Hands and obstacles have no energy but change where inertia carries a stage (Brandt et al. Appendix A).
  virtual bool moves_target() const { return false; }
  virtual void move_target(Stage& /*stage*/) {}
};

}  // namespace resilin
