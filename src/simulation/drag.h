// Handles: vertices that are pulled towards a target, as a term of points outside of the constant Hessian.
#pragma once
#include <vector>

#include "resilin/edit.h"
#include "resilin/model.h"

namespace resilin {

/// Offsets that are left out are those of the positions q. InputError at "drag" when its numbers are wrong; the
/// vertices must be right.
void complete_drag(Drag& drag, const std::vector<double>& q);
/// Of one that is complete.
Term drag_term(const Drag& drag);

}  // namespace resilin
