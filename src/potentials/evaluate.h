// What a sweep does with a block of solids, shells or springs: the SVD or the rotation if somebody reads them, all potentials of the
// term, and the way back from stretches to z. Called by the objective and by derivative checks.
#pragma once
#include <memory>
#include <span>

#include "model/packed_term.h"

namespace resilin {

using Potentials = std::span<const std::shared_ptr<Potential>>;

/// Whether one of the potentials reads `what`.
bool reads(Potentials potentials, Reads what, int derivatives);

/// u, s, v of every z in the block (R = 3).
void decompose(Block& block);
/// What the potentials read of z: u, s, v or r or nothing. Without the SVD r is found from block.guess where there is one.
void decompose(Potentials potentials, Block& block, int derivatives);

/// Sets psi; with derivatives >= 1 dpsi_z; with derivatives == 2 also d2psi_z (positive semidefinite when block.filter).
/// Everything per unit of measure.
void evaluate(Potentials potentials, Block& block, int derivatives);

/// sum of measure * psi in a fixed order.
double block_energy(const SweepBlock& sweep);

}  // namespace resilin
