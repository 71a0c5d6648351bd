#include "contact/first_hit.h"

#include <algorithm>
#include <cmath>

#include "contact/distances.h"
#include "contact/placement.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double touching = 1e-6;  // of the way: as near counts as reached
constexpr int most_steps = 1000;   // then the vertex is as good as there

struct Side {
  double distance;
  Vec3 normal;
};

// The way in the frame of the obstacle.
class OwnWay {
 public:
  OwnWay(const Obstacle& obstacle, const Motion& motion, const Way& way)
      : obstacle_(obstacle),
        from_(pose_at(motion, way.t0).own(way.from.data())),
        step_(pose_at(motion, way.t1).own(way.to.data()) - from_),
        length_(norm(step_)) {}

  double length() const { return length_; }
  double distance(double part) const { return obstacle_.distance(from_ + part * step_); }
  Side side(double part) const {
    const Vec3 x = from_ + part * step_;
    alignas(64) double at[3 * lanes];
    for (std::size_t k = 0; k < 3; ++k) std::fill_n(at + k * lanes, lanes, x[k]);
    Distances out;
    obstacle_.measure(at, 1, out);
    return {out.value[0], {out.normal[0][0], out.normal[1][0], out.normal[2][0]}};
  }

  // From `part` on: the first part that is as near as `touching`, or 1.
  double hit(double part) const {
    for (int step = 0; step < most_steps; ++step) {
      const double d = distance(part);
      if (d <= touching * length_) return part;
      part += d / length_;
      if (!(part < 1)) return 1;
    }
    return part;
  }

 private:
  const Obstacle& obstacle_;
  Vec3 from_, step_;
  double length_;
};

}  // namespace

double first_hit(const Obstacle& obstacle, const Motion& motion, const Way& way) {
  const OwnWay own(obstacle, motion, way);
  if (own.length() > 0) return own.hit(0);
  return own.distance(0) <= 0 ? 0 : 1;
}

double way_without_tunnel(const Obstacle& obstacle, const Motion& motion, const Way& way) {
  const OwnWay own(obstacle, motion, way);
  if (!(own.length() > 0)) return 1;
  double part = 0;
  for (int entries = 0; entries < most_steps; ++entries) {
    const double entry = own.hit(part);
    if (entry >= 1) return 1;
    const Vec3 normal = own.side(entry).normal;
    part = entry;
    for (int step = 0;; ++step) {  // inside, until it comes out again
      if (part >= 1) return 1;
      part = std::min(1.0, part + std::max(std::abs(own.distance(part)) / own.length(), 2 * touching));
      const Side now = own.side(part);
      if (dot(now.normal, normal) < 0 || step > most_steps) return entry;
      if (now.distance > touching * own.length()) break;  // on its own side: it only grazed
    }
  }
  return part;
}

}  // namespace resilin
