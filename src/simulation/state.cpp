#include "resilin/state.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/stamp.h"

namespace resilin {

const std::vector<double>* Memory::find(std::string_view name, std::uint64_t stamp) const {
  const auto at = entries.find(name);
  return at != entries.end() && at->second.stamp == stamp ? &at->second.values : nullptr;
}

std::vector<double>& Memory::keep(std::string_view name, std::uint64_t stamp) {
  auto at = entries.find(name);
  if (at == entries.end()) at = entries.emplace(std::string(name), Entry{}).first;
  Entry& entry = at->second;
  if (entry.stamp != stamp) entry.values.clear();
  entry.stamp = stamp;
  return entry.values;
}

namespace {

std::uint64_t with_step(std::uint64_t revision, double tau) {
  Stamp stamp;
  stamp.add(revision), stamp.add(tau);
  return stamp.value();
}

}  // namespace

std::uint64_t Revision::energy_at(double tau) const { return with_step(energy, tau); }
std::uint64_t Revision::function_at(double tau) const { return with_step(function, tau); }

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
