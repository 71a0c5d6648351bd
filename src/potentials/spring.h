// A spring psi(z) = k/2 (|z| - l)^2 on edges: a projective-dynamics energy. Used by cloth, by bending and by host
// programs.
//
// On elements of three rows (z, a, b) the sign of l says on which side of the plane of a and b the vector z
// belongs:
//
//   psi = k/2 (|z| - r)^2,   r = |l| where l det(z, a, b) >= 0, else -|l|
//
// so p(z) = r z/|z| always points to that side. psi is smooth where z passes through zero along the normal. It
// jumps by 2 k |z| |l| where z of another length crosses the plane; a and b have no force.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "resilin/potential.h"

namespace resilin {

/// One stiffness [N/m] and rest length [m] per spring.
std::shared_ptr<const Potential> make_spring(std::span<const double> stiffness,
                                             std::span<const double> rest_length);
/// The same on other elements of one row, or of three; a rest length may be zero.
std::shared_ptr<const Potential> make_spring(ElementKind kind, std::string name, std::span<const double> stiffness,
                                             std::span<const double> rest_length);

}  // namespace resilin
