// The first state of a body, from "initial" of a scene.
#pragma once
#include <span>

#include "resilin/params.h"

namespace resilin {

/// Changes positions and velocities (xyz per vertex) of one body with these masses.
void apply_initial(const Value& value, std::span<const double> mass, std::span<double> q, std::span<double> v);

}  // namespace resilin
