// What a sweep does with a block of solids, shells or springs: the SVD or the rotation if somebody reads them, all
// potentials of the term, and the way back from stretches to z. Called by the objective and by derivative checks.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "model/packed_term.h"
#include "potentials/dissipation.h"

namespace resilin {

/// The kernels of a term's potentials, owned by whoever sweeps it.
class TermKernels {
 public:
  TermKernels() = default;
  TermKernels(const Term& term, std::span<const int> slot_element);
  /// Of one elastic potential alone.
  TermKernels(const Potential& potential, std::span<const int> slot_element);

  std::span<const std::unique_ptr<Kernel>> elastic() const { return elastic_; }
  std::span<const std::unique_ptr<DissipationKernel>> damping() const { return damping_; }
  /// Whether one of them reads `what`.
  bool reads(Reads what, int derivatives) const { return reads_[derivatives][static_cast<std::size_t>(what)]; }
  void set_time(double time);

 private:
  void note_reads(const Potential& potential);

  std::vector<std::unique_ptr<Kernel>> elastic_;
  std::vector<std::unique_ptr<DissipationKernel>> damping_;
  std::array<std::array<bool, 3>, 3> reads_{};  // by derivatives and what
};

/// u, s, v of every z in the block (R = 2 or 3).
void decompose(Block& block);
/// What the kernels read of z: u, s, v or r or nothing. Without the SVD r is found from block.guess where there is
/// one.
void decompose(const TermKernels& kernels, Block& block, int derivatives);

/// Sets psi; with derivatives >= 1 dpsi_z; with derivatives == 2 also d2psi_z (positive semidefinite when
/// block.filter). Everything per unit of measure.
void evaluate(const TermKernels& kernels, Block& block, int derivatives);

/// sum of measure * psi in a fixed order.
double block_energy(const SweepBlock& sweep);

}  // namespace resilin
