// A spring psi(z) = k/2 (|z| - l)^2 on edges: a projective-dynamics energy. Used by cloth, by bending and by host programs.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "resilin/potential.h"

namespace resilin {

/// One stiffness [N/m] and rest length [m] per spring.
std::shared_ptr<const Potential> make_spring(std::span<const double> stiffness,
                                             std::span<const double> rest_length);
/// The same on other elements of one row; a rest length may be zero.
std::shared_ptr<const Potential> make_spring(ElementKind kind, std::string name, std::span<const double> stiffness,
                                             std::span<const double> rest_length);

}  // namespace resilin
