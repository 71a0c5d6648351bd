// The state of a simulation, as a value: copying it is a snapshot, serialising it a checkpoint, running several
// solvers from one copy a comparison. And a Stage: one minimisation of a time step.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace resilin {

/// What integrators and solvers keep from step to step: arrays by owner and name ("bdf2.q"), each with the stamp of
/// what it was made of. An array of another stamp does not apply any more.
struct Memory {
  struct Entry {
    std::uint64_t stamp = 0;
    std::vector<double> values;
    bool operator==(const Entry&) const = default;
  };
  /// Null when there is none of that stamp.
  const std::vector<double>* find(std::string_view name, std::uint64_t stamp) const;
  /// To be read and written; empty when there was none of that stamp.
  std::vector<double>& keep(std::string_view name, std::uint64_t stamp);

  std::map<std::string, Entry, std::less<>> entries;
};

/// What a model is, by what depends on it. Equal contents have equal stamps, in this process and in the next one.
struct Revision {
  std::uint64_t structure = 0;  // couplings and free rows: patterns, orderings, symbolic factors
  std::uint64_t stiffness = 0;  // and the constant Hessian's numbers: factors
  std::uint64_t energy = 0;     // and every other number of the terms: kernels, weights, Hessians
  // And what changes in every step: handles, loads, motions. What is remembered of forces.
  std::uint64_t function = 0;
  bool operator==(const Revision&) const = default;
  /// With a step size.
  std::uint64_t energy_at(double tau) const;
  std::uint64_t function_at(double tau) const;
};

/// Positions and velocities of all vertices (xyz each), in the user's vertex order.
struct State {
  std::vector<double> q, v;  // [m], [m/s]
  double time = 0;           // [s]
  std::int64_t step = 0;
  Memory history, solver;
};

/// 64-bit hash of positions, velocities, time and step: equal bits give equal hashes.
std::uint64_t hash(const State& state);
bool is_finite(const State& state);

/// minimise Phi(y) = 1/(2 tau^2) |y - target|_M^2 + V(y); afterwards the velocity is (y - origin)/tau.
struct Stage {
  double time = 0, tau = 0;
  std::vector<double> origin, velocity, target, guess;
  /// M^-1 f_ext at its time, by unknown; empty: zero.
  std::vector<double> external = {};
  /// Where the bodies were last, and when: the step's start, or the end of the stage before. Contact lags its
  /// forces there. Empty: the origin.
  std::vector<double> start = {};
  double start_time = 0;
  void begin_at(double when, const std::vector<double>& q) { start_time = when, start = q; }
};

}  // namespace resilin
