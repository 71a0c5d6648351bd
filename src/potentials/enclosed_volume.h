// The volume that a closed surface encloses, kept at a target:
//
//   E = k/2 (V(x) - target V0)^2 / V0,   V(x) = 1/6 sum over triangles of det(x_a, x_b, x_c)
//
// k [Pa] is the pressure over the relative change of volume: the bulk modulus of what is inside. A shell is a
// balloon by it, a solid swells.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "resilin/global_energy.h"

namespace resilin {

/// `rest`: xyz of all vertices of the model.
std::shared_ptr<const GlobalEnergy> make_enclosed_volume(std::span<const double> rest,
                                                         std::span<const int> triangles, double stiffness,
                                                         double target);

/// InputError at `where` for a surface that is open, which names an edge, or has no volume.
void require_enclosed_volume(std::span<const double> rest, std::span<const int> triangles,
                             const std::string& where);

}  // namespace resilin
