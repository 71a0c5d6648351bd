// What obstacles compute: signed distances of eight points at once, with derivatives. Included by obstacles and by what evaluates them; it stays out
// of obstacle.h, which programs read that are compiled without SIMD flags.
#pragma once
#include "simd/pack.h"

namespace resilin {

/// The distance to the boundary, negative inside. Its first derivative is the outward unit normal. Where the distance has a corner (the centre of a
/// ball) the derivatives are those of some side of it: always finite.
struct Distances {
  Pack value;
  Pack normal[3];
  Pack curvature[6];  // second derivatives: lower triangle, row by row
};

}  // namespace resilin
