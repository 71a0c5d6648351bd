// Constant forces on vertices for the length of a stage, psi(z) = -f.(z - start): with backward Euler a change of
// velocity by f tau/m. Used by restitution and by bodies that are led apart.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "resilin/mesh.h"
#include "resilin/model.h"

namespace resilin {

/// One force [N] and one start for each of the vertices.
Term impulse_term(const std::string& name, const std::vector<int>& vertices, std::vector<Vec3> force,
                  std::vector<Vec3> start);
/// The force of each element; empty when the term is none of these.
std::span<const Vec3> impulse_forces(const Term& term);

}  // namespace resilin
