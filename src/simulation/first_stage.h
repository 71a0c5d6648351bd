// The first stage that an integrator would have solved from the present state: what solvers are compared on.
#pragma once
#include "resilin/simulation.h"

namespace resilin {

/// Pinned vertices stand where it wants them; nothing has changed in the simulation. Without a guess: the integrator is explicit.
Stage first_stage(Integrator& integrator, Simulation& simulation);

}  // namespace resilin
