// Runs a kernel written for one register on the registers of a pack, for kernels too long to be inlined into
// their callers. `in` packs are read, `out` packs written; arrays of a fixed length. Called by svd3.cpp,
// polar3.cpp, eigen3.cpp.
#pragma once

#include "simd/pack.h"

namespace resilin {

constexpr int native_parts = lanes / native_lanes;

template <int n>
RESILIN_INLINE void read_part(const Pack* from, int part, Native* to) {
  for (int i = 0; i < n; ++i) to[i] = reinterpret_cast<const Native*>(from + i)[part];
}
template <int n>
RESILIN_INLINE void write_part(const Native* from, int part, Pack* to) {
  for (int i = 0; i < n; ++i) reinterpret_cast<Native*>(to + i)[part] = from[i];
}

}  // namespace resilin
