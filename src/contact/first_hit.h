// Fast vertices and thin obstacles: what a vertex meets on its straight way, by steps that no longer than the distance to the obstacle (conservative
// advancement). Ways are straight in the frame of the obstacle, which moves meanwhile.
#pragma once
#include "contact/obstacle.h"
#include "resilin/motion.h"

namespace resilin {

/// A vertex at `from` at time t0 that is at `to` at time t1.
struct Way {
  double t0;
  Vec3 from;
  double t1;
  Vec3 to;
};

/// The part of the way, in [0, 1], at which the vertex reaches the obstacle: 0 where it begins inside, 1 where it meets nothing.
double first_hit(const Obstacle& obstacle, const Motion& motion, const Way& way);

/// The part of the way that it may go without passing through: 1 where it stays outside or stops inside on the side on which it came in, else the
/// part up to where it enters what it would leave on another side. Energies push back whatever stops inside; what passed through is lost.
double way_without_tunnel(const Obstacle& obstacle, const Motion& motion, const Way& way);

}  // namespace resilin
