// Forces fitted to those of all elements from the projections of the sampled ones (Brandt et al. 2018, Section 5).
// They are the gradient of nothing: local steps of projective dynamics use them, energies do not. For any
// potential, p = (Q z - dpsi/dz)/k stands for the projection (Liu et al. 2017, Section 4).
#pragma once
#include <vector>

#include "core/aligned.h"
#include "problem/assembly.h"

namespace resilin {

class FittedAssembly final : public SubspaceAssembly {
 public:
  FittedAssembly(const Partition& partition, const Space& space, Subspace& subspace,
                 const std::vector<PackedTerm>& terms)
      : SubspaceAssembly(partition, space, subspace), terms_(terms) {}

  /// Terms are packed anew: their slots hold sampled elements.
  void lay_out(int copies) override;
  /// Q as `stiffness` sets it stands in the constant matrix.
  void note_stiffness(FunctionRef<void(int term, int element, double* q)> stiffness);
  /// A stage begins.
  void begin_stage() { begun_ = false; }

  bool fits(int term) const override { return subspace_.fits(term); }
  void fit(int term, const SweepBlock& block) override;
  bool scatters() const override;
  /// Leaves out the energy of inertia, a product that iterations do not need: add_inertia.
  void reduce(const Inertia* inertia, double* gradient, Evaluation& out) override;
  void add_inertia(const double* y, const Inertia& inertia, Evaluation& out);

 private:
  // Of a term that fits, by pack: 1/k, and Q/k unless that is 1 everywhere. [packs][8], [packs][R R][8].
  struct SampleStiffness {
    AlignedVector<double> over_k, q;
  };
  const std::vector<PackedTerm>& terms_;
  std::vector<SampleStiffness> stiffness_;
  bool begun_ = false;  // for this stage and this constant matrix
  std::vector<double> momentum_, gap_, sums_, scratch_;
};

}  // namespace resilin
