// How a solve converges, while it runs: errors of its iterations against the minimum of the same stage.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "resilin/scene.h"
#include "resilin/simulation.h"

namespace resilin::viewer {

/// The minimum of the objective in the first stage of the step to come. Costs a solve to the end. None: there is
/// nothing to minimise.
std::optional<double> least_objective(Simulation& simulation);

/// Number, seconds and (Phi - Phi*) / (Phi_0 - Phi*) of the iterations of the first stage.
std::vector<std::array<double, 3>> errors_by_iteration(const std::vector<IterationRecord>& trace, double least);

}  // namespace resilin::viewer
