// A simulation: a model, its state, an integrator and a solver. One step at a time; a step that fails leaves the state as it was.
// Host programs use this class; two simulations in one process share nothing.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "resilin/integrator.h"
#include "resilin/model.h"
#include "resilin/solver.h"
#include "resilin/state.h"

namespace resilin {

class PointHessian;
class ThreadPool;

/// What is chosen once.
struct SimulationOptions {
  double step = 1.0 / 30;  // h [s]
  int threads = 0;         // 0: all cores this process may use
  StopRule stop;
};

struct StepReport {
  Status status = Status::converged;
  SolveReport solve;  // summed over the stages of the step
  double seconds = 0;
};

struct Energy {
  double kinetic = 0, elastic = 0, external = 0;  // [J]; external: gravity and constant forces, zero at the rest shape
};

class Simulation {
 public:
  Simulation(Model model, std::unique_ptr<Integrator> integrator, std::unique_ptr<Solver> solver, SimulationOptions options);
  ~Simulation();

  /// Advances by one step. not_finite: the step was rejected and the state is as before.
  StepReport step();

  const State& state() const { return state_; }
  /// Replaces the state; sizes must match the model.
  void set_state(State state);
  const Model& model() const { return model_; }
  const SimulationOptions& options() const { return options_; }
  Solver& solver() { return *solver_; }
  Objective& objective() { return *objective_; }
  const Objective& objective() const { return *objective_; }
  int threads() const;

  /// Thread-safe: `edit` runs at the start of the next step on the state, before anything reads it.
  void post(std::function<void(State&)> edit);
  /// Called after every committed step.
  void observe(std::function<void(const Simulation&, const StepReport&)> observer) { observers_.push_back(std::move(observer)); }

  Energy energy();
  std::array<double, 3> momentum() const;
  /// About the origin.
  std::array<double, 3> angular_momentum() const;

 private:
  class Bridge;

  Model model_;
  SimulationOptions options_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<Objective> objective_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Solver> solver_;
  State state_, next_;
  std::vector<double> ignored_velocity_, linear_step_;
  std::unique_ptr<PointHessian> tangent_;  // of linearly implicit steps
  std::mutex edit_mutex_;
  std::vector<std::function<void(State&)>> edits_;
  std::vector<std::function<void(const Simulation&, const StepReport&)>> observers_;
};

}  // namespace resilin
