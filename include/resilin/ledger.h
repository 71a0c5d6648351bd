// Where energy and momentum go, step by step: an observer for any simulation.
//
//   Ledger ledger(*simulation);
//   simulation->step();
//   ledger.entries().back().numerical_loss;  // [J] that the integrator and the solver took away in this step
//
// The balance of a step:  d(kinetic + elastic) = external work + pins' work - dissipated - numerical loss.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace resilin {

class Simulation;

struct LedgerEntry {
  std::int64_t step = 0;
  double time = 0;
  // At the end of the step [J], [kg m/s], [kg m^2/s about the origin].
  double kinetic = 0, elastic = 0;  // elastic: all potentials, with soft pins and obstacles
  std::array<double, 3> momentum{0, 0, 0}, angular_momentum{0, 0, 0};
  // In this step [J].
  double external_work = 0;  // of gravity and forces
  double pin_work = 0;       // of what moves pinned vertices and the targets of soft pins
  std::vector<std::pair<std::string, double>> dissipated;  // by each damping model
  double numerical_loss = 0;                               // what is missing in the balance; negative: a gain
};

class Ledger {
 public:
  /// Begins with an entry for the state as it is. Costs one or two evaluations of the potentials per step. What
  /// changes the state between steps (edits, set_state) shows as a loss.
  explicit Ledger(Simulation& simulation);
  /// The first is that of the beginning, then one per committed step.
  const std::vector<LedgerEntry>& entries() const;

 private:
  class Book;
  std::shared_ptr<Book> book_;  // shared with the simulation, which may outlive this
};

}  // namespace resilin
