// What kinds of solvers need of the terms of a model, checked when a simulation is built.
#pragma once
#include <string>

#include "problem/problem.h"

namespace resilin {

/// Throws where an obstacle is hard: a method of gradients would never end there.
void refuse_hard(const Problem& problem, const std::string& solver);
/// The same, and where the force of some damping jumps (power < 1 without smoothing).
void require_smooth(const Problem& problem, const std::string& solver);

}  // namespace resilin
