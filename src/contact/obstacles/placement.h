// Where an obstacle stands: x = R(t) own + p(t), by the same motions that pins have.
#pragma once
#include "resilin/mesh.h"
#include "resilin/motion.h"

namespace resilin {

/// The rigid map from an obstacle's own frame to the world, at one time.
struct Pose {
  double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // R, row by row
  double at[3] = {0, 0, 0};                      // p

  /// R^T (x - p)
  Vec3 own(const double* x) const;
  /// R own + p
  Vec3 world(const Vec3& own) const;
};

Pose pose_at(const Motion& motion, double time);

/// How far the material point that is at x at t0 has moved at t1: friction is about what moves relative to that.
Vec3 moved(const Motion& motion, const double* x, double t0, double t1);

}  // namespace resilin
