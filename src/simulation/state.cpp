#include "resilin/state.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace resilin {

// FNV-1a over 64-bit words with a final mix: stable across machines of the same endianness.
std::uint64_t hash(const State& state) {
  std::uint64_t h = 0xcbf29ce484222325u;
  const auto eat = [&h](std::uint64_t word) { h = std::rotl((h ^ word) * 0x100000001b3u, 29); };
  for (const auto* array : {&state.q, &state.v})
    for (const double x : *array) eat(std::bit_cast<std::uint64_t>(x));
  eat(std::bit_cast<std::uint64_t>(state.time));
  eat(static_cast<std::uint64_t>(state.step));
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  return h ^ (h >> 33);
}

bool is_finite(const State& state) {
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::all_of(state.q.begin(), state.q.end(), finite) && std::all_of(state.v.begin(), state.v.end(), finite);
}

}  // namespace resilin
