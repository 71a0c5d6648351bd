// Going on from a checkpoint.
#pragma once
#include "resilin/checkpoint.h"
#include "resilin/simulation.h"

namespace resilin::cli {

/// The edits and the state of a checkpoint, in a simulation of its scene. InputError when that does not give the
/// same model any more.
void start_from(Simulation& simulation, const Checkpoint& from);

}  // namespace resilin::cli
