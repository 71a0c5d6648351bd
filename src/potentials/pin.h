// Soft pins: psi(z) = k/2 |z - t(time)|^2 on points, whose targets follow a motion. A projective-dynamics energy.
#pragma once
#include <memory>
#include <span>

#include "resilin/motion.h"
#include "resilin/potential.h"

namespace resilin {

/// `start`: xyz of each target at time 0. One stiffness [N/m] for all.
std::shared_ptr<const Potential> make_pin(double stiffness, std::span<const double> start, Motion motion);

}  // namespace resilin
