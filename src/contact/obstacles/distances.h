// What obstacles compute: signed distances of eight points at once, with derivatives. Included by obstacles and by
// what evaluates them; it stays out of obstacle.h, which programs read that are compiled without SIMD flags.
#pragma once
#include "simd/pack.h"

namespace resilin {

/// The distance to the boundary, negative inside. Its first derivative is the outward unit normal. Where the
/// distance has a corner (the centre of a ball) the derivatives are those of some side of it: always finite.
struct Distances {
  Pack value;
  Pack normal[3];
  Pack curvature[6];  // second derivatives: lower triangle, row by row
};

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
