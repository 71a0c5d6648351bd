// Fast vertices and thin obstacles: which vertices would fly through within a step, and where they enter. By steps
// no longer than the distance to the obstacle (conservative advancement), eight vertices at once. VertexSweeps are
// straight in the frame of the obstacle, which moves meanwhile.
#pragma once
#include <span>
#include <vector>

#include "contact/obstacles/obstacle.h"
#include "resilin/motion.h"

namespace resilin {

/// Straight ways of vertices: from `from` (xyz each) at time t0 to `to` at time t1.
struct VertexSweeps {
  double t0, t1;
  std::span<const double> from, to;
};
/// A way that leads through an obstacle.
struct SweepHit {
  int way;
  Vec3 point, normal;        // where it goes in, and the side there, as the obstacle stands at t1
  double excess, thickness;  // what is left of the way; of the obstacle [m]
};

/// Adds, in the order of ways, those that come out of the obstacle on another side than they went in, or would be
/// pushed out there. What stops inside on its own side, or only grazes, may go on: energies push it back. Nothing
/// is said of obstacles that turn by more than half a radian meanwhile.
void sweep_vertices(const Obstacle& obstacle, const Motion& motion, const VertexSweeps& ways,
                    std::vector<SweepHit>& out);

}  // namespace resilin
