// One stage from its beginning to its end: contact begins, the solver minimises Phi, contact that was asleep is
// checked, contact ends.
#pragma once
#include <vector>

#include "problem/dynamic_system.h"
#include "resilin/solver.h"

namespace resilin {

/// Minimises the stage from y: its guess, with pinned vertices in place. y becomes the end of the stage, and
/// `memory` keeps what contact and solver need in the next one.
SolveReport solve_stage(DynamicSystem& system, Solver& solver, const Stage& stage, std::vector<double>& y,
                        Memory& memory, const StopRule& stop);

}  // namespace resilin
