#include "contact/obstacles/placement.h"

#include "geometry/vec3.h"

namespace resilin {

Vec3 Pose::own(const double* x) const {
  const Vec3 d{x[0] - at[0], x[1] - at[1], x[2] - at[2]};
  Vec3 out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = turn[i] * d[0] + turn[3 + i] * d[1] + turn[6 + i] * d[2];
  return out;
}

Vec3 Pose::world(const Vec3& own) const {
  Vec3 out{};
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = turn[3 * i] * own[0] + turn[3 * i + 1] * own[1] + turn[3 * i + 2] * own[2] + at[i];
  return out;
}

// Motions know where points go: the origin and two unit vectors tell the rest. Made orthonormal, so that far from
// the origin, where the differences have fewer digits, distances are still distances.
Pose pose_at(const Motion& motion, double time) {
  Pose out;
  if (!motion.places()) return out;
  Vec3 image[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 from{i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0, 0};
    double velocity[3];
    motion.at(time, from.data(), image[i].data(), velocity);
  }
  const auto unit = [](const Vec3& v) { return (1 / norm(v)) * v; };
  const Vec3 x = unit(image[1] - image[0]), along = image[2] - image[0], y = unit(along - dot(along, x) * x),
             z = cross(x, y);
  for (std::size_t i = 0; i < 3; ++i)
    out.turn[3 * i] = x[i], out.turn[3 * i + 1] = y[i], out.turn[3 * i + 2] = z[i], out.at[i] = image[0][i];
  return out;
}

Vec3 moved(const Motion& motion, const double* x, double t0, double t1) {
  if (!motion.moves()) return {0, 0, 0};
  const Pose before = pose_at(motion, t0), after = pose_at(motion, t1);
  const Vec3 own = before.own(x);
  return after.world(own) - before.world(own);
}

}  // namespace resilin
