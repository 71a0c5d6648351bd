// Which vertices and triangles of a model the page draws.
#pragma once
#include <optional>

#include "protocol.h"
#include "resilin/model.h"

namespace resilin::viewer {

/// The surfaces of bodies (the embedded ones where there are), and springs of bodies without. `plane` (n, d): only
/// elements whose centre c at rest has n . c <= d, and the cut through solids.
DrawnMesh draw(const Model& model, const std::optional<std::array<double, 4>>& plane);

}  // namespace resilin::viewer
