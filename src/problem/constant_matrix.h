// The constant Hessian M/tau^2 + sum measure D^T Q D of Liu et al. 2017 on the free rows, with the scales of its
// stiffness, and the same with weights for the global step of ADMM.
#pragma once
#include <vector>

#include "core/thread_pool.h"
#include "linear/sparse_matrix.h"
#include "problem/fitted_assembly.h"
#include "problem/partitioned_elements.h"

namespace resilin {

/// One number per element: [term][element], in the caller's order.
using ElementWeights = std::vector<std::vector<double>>;

class ConstantMatrix {
 public:
  ConstantMatrix(PartitionedElements& elements, const Space& space) : elements_(elements), space_(space) {}
  /// In a subspace: what its elements, fitted or not, and its `pins` have.
  void set_subspace(Subspace* subspace, FittedAssembly* fitted, const std::vector<Term>* pins) {
    subspace_ = subspace, fitted_ = fitted, pins_ = pins;
  }
  /// The model may be another one.
  void update(const Revision& revision);
  /// A stage begins: every scale is 1.
  void begin(double tau);

  SymmetricMatrix matrix();
  /// A factor of the matrix is used again: fitted forces of a subspace become those of that matrix.
  void restore();
  /// M/tau^2 + sum measure w_i D^T D, weights[term][element] per unit of measure.
  SymmetricMatrix matrix(const ElementWeights& weights);
  /// Rows that elements of the partition couple, as blocks of that size.
  SymmetricMatrix pattern(int block) const;
  /// The R x R matrices of an element's potentials, each times its scale.
  void element_stiffness(int term, int element, double* q) const;
  /// Changes with the numbers of the matrix but for tau: Revision::stiffness with the scales.
  std::uint64_t stamp() const { return stamp_; }

  /// Elastic potentials of all terms, in order.
  int potentials() const { return static_cast<int>(scale_.size()); }
  /// Eq. 11 of Liu et al. on the stretches of the sample at y, by potential; zero for those that have nothing to
  /// fit.
  const std::vector<StretchSums>& sum_stretches(const double* y);
  /// Scales the stiffness of the potentials, until the next stage.
  void scale(const std::vector<double>& by_potential);

 private:
  void plan();
  SymmetricMatrix in_subspace();
  SymmetricMatrix with(FunctionRef<void(int term, int element, double* q)> stiffness);

  PartitionedElements& elements_;
  const Space& space_;
  Subspace* subspace_ = nullptr;
  FittedAssembly* fitted_ = nullptr;
  const std::vector<Term>* pins_ = nullptr;
  Revision revision_;
  std::uint64_t stamp_ = 0, fitted_of_ = 0;  // fitted_of_: the stamp when forces were fitted
  double tau_ = 1;
  std::vector<int> first_potential_;                    // by term
  std::vector<double> scale_;                           // by potential
  std::vector<StretchSums> stretch_sums_, group_sums_;  // by potential; by group of the sample and potential
  // The pattern and, by term, where the entries of an element stand in it: [element][a >= b], -1 when pinned.
  std::uint64_t planned_structure_ = 0;
  SymmetricMatrix pattern_;
  std::vector<std::vector<int>> slots_;
  std::vector<int> diagonal_slots_;
};

}  // namespace resilin
