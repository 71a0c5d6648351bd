// Columns for a position subspace that a full run has shown to be missing: principal components of what the
// subspace cannot show of its frames (proper orthogonal decomposition). Brandt et al. 2018, Sec. 1, name them as a
// way to sharp bends. Each frame gives three functions of vertices, one for each axis, since the columns of U act
// on all axes alike.
#pragma once
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "reduction/handle_weights.h"
#include "reduction/position_subspace.h"

namespace resilin {

/// Frames of a run: xyz of all vertices each.
using Snapshots = std::vector<std::vector<double>>;

/// A function of the vertices of one connected component, 1 at most; zero elsewhere.
struct SnapshotMode {
  int component = 0, peak = 0;  // peak: the vertex that it moves most
  std::vector<double> value;
};

/// Up to `count`, the most significant first, orthogonal in the mass to each other and to the subspace.
/// `component`: of each vertex.
std::vector<SnapshotMode> snapshot_modes(const PositionSubspace& positions, std::span<const double> mass,
                                         std::span<const int> component, const Snapshots& snapshots, int count,
                                         ThreadPool& pool);

/// As handles behind the others, whose weights are the modes.
HandleWeights with_modes(const HandleWeights& weights, int handles, std::span<const SnapshotMode> modes);

}  // namespace resilin
