// The closed-form rigid step (docs/theory/solvers.md): energies are rotation invariant, so turning and moving a
// free body onto its inertial target minimises Phi over rigid motions. For projective_dynamics, and for experiments
// that ask how rigid an error is.
#pragma once
#include <span>
#include <vector>

namespace resilin {

/// Moves the vertices of x in `component` rigidly so that sum m |x - target|^2 is least (mass-weighted Procrustes,
/// Kabsch).
void rigid_step(std::span<const double> mass, const std::vector<int>& component, const std::vector<double>& target,
                std::vector<double>& x);

}  // namespace resilin
