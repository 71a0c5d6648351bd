// Helpers of the simd tests: matrices into and out of packs, bit comparison, a portable random source.
#pragma once

#include <cstdint>
#include <cstring>
#include <random>

#include "simd/pack.h"

namespace resilin::testing {

inline double uniform(std::mt19937_64& bits, double low, double high) {
  return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
}

inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }

template <int n>
void put_lane(const double* from, int l, Pack* to) {
  for (int i = 0; i < n; ++i) to[i][l] = from[i];
}
template <int n>
void take_lane(const Pack* from, int l, double* to) {
  for (int i = 0; i < n; ++i) to[i] = lane(from[i], l);
}

}  // namespace resilin::testing
