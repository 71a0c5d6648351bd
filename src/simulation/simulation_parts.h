// Members of a Simulation, and functions of them that more than one of its sources uses. Private to simulation/.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/thread_pool.h"
#include "problem/dynamic_system.h"
#include "reduction/reduction.h"
#include "resilin/simulation.h"
#include "solvers/precondition/point_hessian.h"

namespace resilin {

/// Assign without allocating when both have the same arrays.
void assign(Memory& to, const Memory& from);
void assign(State& to, const State& from);

struct Simulation::Parts {
  // Positions and velocities of vertices, of a reduced simulation.
  struct Lifted {
    std::vector<double> q, v;
    bool valid = false;
  };
  struct Observing {
    int number;
    Observer call;
  };

  bool reduced() const { return subspace != nullptr; }
  const Lifted& lift();
  /// From vertices to unknowns; unknowns that are vertices stay.
  void project(std::vector<double>& q, std::vector<double>& v) const;
  void check_solver(const Solver& chosen) const;
  /// Forces of the host, as forces of a model.
  void add_forces(Model& to) const;
  /// Contact as `memory` has it, and not as the last stage has left it: a resumed run has had no stage.
  void recall_contact(double time, const std::vector<double>& q, const std::vector<double>& v,
                      const Memory& memory);
  void apply_edits(Simulation& simulation, StepReport& report);
  void begin_step();
  void commit();
  void call_observers(const Simulation& simulation, const StepReport& report);

  Model model;
  SimulationOptions options;
  std::unique_ptr<ThreadPool> pool;
  std::unique_ptr<Subspace> subspace;
  Lifted lifted;
  std::unique_ptr<DynamicSystem> system;
  std::unique_ptr<DynamicSystem> whole;  // of a reduced simulation; null: not asked for since the model changed
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Solver> solver;
  State state, next;
  std::vector<double> ignored_velocity, linear_step;
  std::vector<double> forces;             // of set_forces: the last of those of the model
  std::unique_ptr<PointHessian> tangent;  // of linearly implicit steps
  std::shared_ptr<const ModelSource> source;
  State initial;
  bool own_first_state = false;  // that is not the description's: edits of the description leave it alone
  std::mutex edit_mutex;
  std::vector<Edit> posted, taken;
  std::vector<EditRecord> log;
  std::vector<Edit> standing;  // pins and handles that were edited in, in order: they outlive other descriptions
  std::vector<Observing> observers;
  int observed = 0;
};

}  // namespace resilin
