// The stretches of a state: the largest and the smallest singular value over all tets and triangles.
#pragma once
#include <vector>

#include "problem/dynamic_system.h"

namespace resilin::lab {

struct StretchRange {
  double smallest, largest;
};
/// NaN where a stretch is.
StretchRange stretch_range(DynamicSystem& system, const std::vector<double>& q);

}  // namespace resilin::lab
