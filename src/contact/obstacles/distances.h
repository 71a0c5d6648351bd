// What obstacles compute: signed distances of eight points at once, with derivatives. Included by obstacles and by
// what evaluates them; it stays out of obstacle.h, which programs read that are compiled without SIMD flags.
#pragma once
#include "contact/obstacles/placement.h"
#include "simd/pack.h"

namespace resilin {

/// The distance to the boundary, negative inside. Its first derivative is the outward unit normal. Where the
/// distance has a corner (the centre of a ball) the derivatives are those of some side of it: always finite.
struct Distances {
  Pack value;
  Pack normal[3];
  Pack curvature[6];  // second derivatives: lower triangle, row by row
};

/// The curvature of |gap| - r with the unit normal n = gap/|gap| on some axes: (axes - n n^T)/|gap|.
inline void round_curvature(Pack inverse, const Pack axes[3], Distances& out) {
  for (int i = 0, entry = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j, ++entry)
      out.curvature[entry] = inverse * ((i == j ? axes[i] : Pack{}) - out.normal[i] * out.normal[j]);
}

/// Eight points x [3][8] in the own frame of what stands at `pose`; both arrays may be the same.
inline void to_own(const Pose& pose, const double* x, double* own) {
  const double* r = pose.turn;
  Pack d[3];
  for (int k = 0; k < 3; ++k) d[k] = load(x + k * lanes) - pose.at[k];
  for (int k = 0; k < 3; ++k) store(own + k * lanes, r[k] * d[0] + r[3 + k] * d[1] + r[6 + k] * d[2]);
}

/// What an obstacle may keep of eight points from one measurement to the next, to be faster and never to change a
/// bit: the faces that each was nearest to the last two times that it was searched for, and how far it may move
/// while that is so. Two: solvers go to and fro.
struct NearFaces {
  struct Face {
    alignas(64) double at[3][lanes] = {}, corner[3][lanes] = {}, normal[3][lanes] = {};
    alignas(64) double reach[lanes] = {};  // 0: nothing is known
  };
  Face face[2];
  int older[lanes] = {};
};

}  // namespace resilin
