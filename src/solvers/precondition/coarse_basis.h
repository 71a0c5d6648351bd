// The functions that a coarse space is made of, one set per connected component: its lowest modes, A z = lambda
// M/tau^2 z with A the constant Hessian, times 1 and the three rest coordinates, so that stretching, turning and
// bending on that scale are all in the span. Zero on pinned vertices, A-orthonormal. Made once per (tau, revision),
// deterministic. Called by CoarseSpace.
#pragma once
#include <vector>

#include "problem/problem.h"
#include "solvers/precondition/factor.h"

namespace resilin {

struct CoarseBasis {
  std::vector<int> vertices;                // the free ones of the component
  std::vector<std::vector<double>> column;  // [column][place in vertices]
  bool floating = false;                    // nothing holds it in A: then column 0 is constant
};

/// By component; those with fewer than 16 free vertices per mode get fewer modes, or none. `factor` is that
/// of A.
std::vector<CoarseBasis> coarse_basis(Problem& problem, Factor& factor, int modes);

}  // namespace resilin
