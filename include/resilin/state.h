// The state of a simulation, as a value: copying it is a snapshot, serialising it a checkpoint, running several solvers from one
// copy a comparison. And a Stage: one minimisation of a time step.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace resilin {

/// Named arrays that an integrator or solver keeps from step to step, with the step size and the revision of the model that
/// they were made under: if either differs, they do not apply any more.
struct Memory {
  double h = 0;
  std::uint64_t revision = 0;
  std::map<std::string, std::vector<double>> arrays;
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
};

}  // namespace resilin
