#include "geometry/locality_order.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace resilin {

namespace {

constexpr int bits = 20;  // per axis: 60-bit keys

// Coordinates to the place on the curve [Skilling, "Programming the Hilbert curve", 2004]: undo, from the
// coarsest level down, the exchange and inversion that each octant applies to the curve inside it, then read
// the bits in Gray code.
std::uint64_t hilbert_key(std::uint32_t x[3]) {
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    for (int a = 0; a < 3; ++a) {
      const std::uint32_t low = q - 1;
      if (x[a] & q) {
        x[0] ^= low;
      } else {
        const std::uint32_t t = (x[0] ^ x[a]) & low;
        x[0] ^= t;
        x[a] ^= t;
      }
    }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t flip = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
    if (x[2] & q) flip ^= q - 1;
  std::uint64_t key = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (int a = 0; a < 3; ++a) key = key << 1 | ((x[a] ^ flip) >> b & 1u);
  return key;
}

}  // namespace

std::vector<int> locality_order(std::span<const double> vertices, int n) {
  assert(n >= 0 && vertices.size() >= 3 * static_cast<std::size_t>(n));
  double lower[3], extent = 0;
  for (int a = 0; a < 3; ++a) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int i = 0; i < n; ++i) {
      const double v = vertices[3 * i + a];
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
    lower[a] = low;
    extent = std::max(extent, high - low);  // one cube for all axes: cells stay cubic
  }
  constexpr double cells = (1u << bits) - 1;
  const double scale = extent > 0 && std::isfinite(extent) ? cells / extent : 0;

  std::vector<std::pair<std::uint64_t, int>> keys(n);
  for (int i = 0; i < n; ++i) {
    std::uint32_t x[3];
    for (int a = 0; a < 3; ++a) {
      const double cell = (vertices[3 * i + a] - lower[a]) * scale;
      x[a] = cell >= 0 && std::isfinite(cell) ? static_cast<std::uint32_t>(std::min(cell, cells)) : 0u;
    }
    keys[i] = {hilbert_key(x), i};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = keys[i].second;
  return order;
}

}  // namespace resilin
