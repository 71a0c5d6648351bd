// Fibres in a solid: psi(F) = kappa/2 (|F d| - 1)^2 with d the unit direction at rest. One more potential in the
// term of a tet material, which it stiffens along d by kappa (Liu et al. Section 5, anisotropy; E21).
#pragma once
#include <array>
#include <memory>
#include <span>

#include "resilin/potential.h"

namespace resilin {

/// Stiffness [Pa] and direction per element; a list of one holds for all. Directions are made unit vectors; a zero
/// or not finite one is an InputError, and so is a stiffness that is not positive.
std::shared_ptr<const Potential> make_fibre(std::span<const double> stiffness,
                                            std::span<const std::array<double, 3>> directions);

}  // namespace resilin
