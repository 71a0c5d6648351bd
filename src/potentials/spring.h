// A spring psi(z) = k/2 (|z| - l)^2 on edges: a projective-dynamics energy. Used by cloth and by host programs.
#pragma once
#include <memory>
#include <span>

#include "resilin/potential.h"

namespace resilin {

/// One stiffness [N/m] and rest length [m] per spring.
std::shared_ptr<const Potential> make_spring(std::span<const double> stiffness,
                                             std::span<const double> rest_length);

}  // namespace resilin
