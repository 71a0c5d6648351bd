// The sum over all elements of a term from the projections of a few (Brandt et al. Sec. 5, Appendix C):
//
//   U^T sum_i measure_i k_i D_i^T p_i  ~  B p_samples,     B = U^T S^T V (V^T J^T J V)^-1 V^T J^T
//
// p = (Q z - dpsi/dz)/k, k = trace(Q)/R, is the projection of projective energies (Q = k 1) and serves for every
// other potential as well. V holds principal components of the columns w_ij {c, p^x, p^y, p^z} of the rest state,
// those that are affine over a whole connected component first (X35), so that a body at rest or turned as a whole
// is fitted exactly. V^T J^T p is a sum of moments of samples: sparse, and never stored as a matrix.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "linear/dense.h"
#include "reduction/furthest_points.h"
#include "reduction/handle_weights.h"
#include "resilin/model.h"

namespace resilin {

struct FittedElements;
class ReducedSums;

/// p of every element at rest, R x 3 each, and its k per unit of measure.
struct RestProjections {
  int rows = 3;  // R
  std::vector<double> p, k;
};
/// Of the elastic potentials of a term. Throws InputError where one is not finite.
RestProjections rest_projections(const Model& model, int term, ThreadPool& pool);
using Elastic = std::vector<std::shared_ptr<const Potential>>;
/// Adds the R x R quadratic forms of an element's potentials to q.
void add_quadratic(const Elastic& elastic, int rows, int element, double* q);
/// Of some of its elements with other potentials; the rest is zero.
RestProjections rest_projections(const Model& model, int term, const Elastic& elastic, std::span<const int> members,
                                 ThreadPool& pool);

/// What a fit is made of besides the term.
struct FitSpace {
  const HandleWeights& weights;    // of the fit's handles, by vertex
  std::span<const int> component;  // of each of these handles
  int components;
  double fraction;  // of the columns that are kept
};

class ProjectionFit {
 public:
  ProjectionFit() = default;
  ProjectionFit(const Elements& elements, const RestProjections& rest, const ElementSamples& samples,
                const FitSpace& space, const ReducedSums& sums);

  bool empty() const { return samples_ == 0; }
  int samples() const { return samples_; }
  /// Columns of V, those that samples cannot tell apart left out.
  int components() const { return components_; }
  int components_left_out() const { return left_out_; }
  /// r += B p, r: rows x 3. `p`: packs of eight samples in their order, [packs][3R][8]; what stands in the last
  /// pack after them does not count.
  void add(const double* p, double* r, ThreadPool& pool) const;
  /// The same by stages, each of which runs in parts within regions of the caller's: moments of a pack, columns,
  /// components, then rows [row_begin(part), row_begin(part + 1)) of r += scale B p.
  void take(int pack, const double* p) const;
  int column_parts() const;
  void sum_columns(int part) const;
  int component_parts() const;
  void sum_components(int part) const;
  static int row_parts(int rows);
  static int row_begin(int rows, int part);
  void add_rows(int part, double scale, double* r) const;
  /// For packs with other samples in their slots: places[slot], -1 in padding.
  ProjectionFit arranged(std::span<const int> places) const;
  /// B as in a fit with other samples in the slots.
  void adopt(const ProjectionFit& other) { spread_ = other.spread_; }
  /// B where the stiffness of some elements is by `fitted.k` more than a factor times that of `before`, and of all
  /// others just that. V and the samples stay.
  void adopt(const ProjectionFit& before, double factor, const FittedElements& fitted, std::span<const int> members,
             const ReducedSums& sums);
  double constant() const { return constant_; }
  /// Nothing but constants is fitted: rest projections were zero.
  bool shapeless() const;
  /// Numbers that `add` reads.
  std::size_t size() const { return weight_.size() + collect_.size() + spread_.size(); }

 private:
  friend class ReductionFile;
  void set_samples(const Elements& elements, const RestProjections& rest, const ElementSamples& samples,
                   const HandleWeights& weights, double constant);
  void set_matrices(const DenseMatrix& spread);
  void make_room();
  /// Its arrays fit each other and such a model.
  bool sound(int positions, int handles, int rows, std::ptrdiff_t samples) const;

  int rows_ = 3, samples_ = 0, components_ = 0, left_out_ = 0;
  int positions_ = 0;  // rows of r
  int columns_ = 0;    // 4 per handle
  // Samples by handle, with their weights; rest projections with the constant, [packs][4R][8].
  std::vector<int> start_, sample_;
  std::vector<double> weight_;
  AlignedVector<double> rest_;
  // What spread is made of: V as combinations of columns, and (V^T J^T J V)^-1 V^T of moments; the constant of the
  // columns.
  DenseMatrix basis_, gather_;
  double constant_ = 1;
  // r = spread collect moments, or r = spread moments where that is less: row-major, rows padded to whole packs.
  AlignedVector<double> collect_, spread_;
  mutable AlignedVector<double> moment_, column_, component_;
};

}  // namespace resilin
