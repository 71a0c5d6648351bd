// A simulation: a model, its state, an integrator and a solver. One step at a time; a step that fails leaves the
// state as it was. Host programs use this class; two simulations in one process share nothing.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "resilin/edit.h"
#include "resilin/integrator.h"
#include "resilin/model.h"
#include "resilin/reduction.h"
#include "resilin/solver.h"
#include "resilin/state.h"

namespace resilin {

class DynamicSystem;

struct SimulationOptions {
  double step = 1.0 / 30;  // h [s]
  int threads = 0;         // 0: all cores this process may use
  StopRule stop;
  std::optional<ReductionSettings> reduction = {};             // none: unknowns are vertices
  std::shared_ptr<const ReductionStore> reduction_store = {};  // none: it is computed every time
};

struct StepReport {
  Status status = Status::converged;
  SolveReport solve;  // summed over the stages of the step
  double seconds = 0;
  std::vector<EditRecord> edits;  // that were applied or refused before it
};

/// What a simulation is made of. Of an edited description: integrator and solver are null where they stay as they
/// are.
struct Blueprint {
  Model model;
  State initial;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Solver> solver;
  SimulationOptions options;
};

/// The description that a model came from, such as a scene. Immutable: a changed one is another one.
class ModelSource {
 public:
  virtual ~ModelSource() = default;
  /// The description with one parameter changed, and what it gives. InputError when that cannot be.
  virtual std::shared_ptr<const ModelSource> with(const std::string& path, const Value& value,
                                                  Blueprint& out) const = 0;
  /// As JSON text.
  virtual std::string text() const = 0;
  /// Paths of the files that it was read from besides, such as meshes.
  virtual std::vector<std::string> files() const { return {}; }
};

struct Energy {
  double kinetic = 0, elastic = 0,
         external = 0;  // [J]; external: gravity and constant forces, zero at the rest shape
};

class Simulation {
 public:
  Simulation(Model model, std::unique_ptr<Integrator> integrator, std::unique_ptr<Solver> solver,
             SimulationOptions options);
  ~Simulation();

  /// Applies what was posted and advances by one step. not_finite, cancelled: the step was rejected and the state
  /// is as before.
  StepReport step();

  /// In a reduced simulation q and v are the unknowns of the subspace.
  const State& state() const;
  /// xyz of all vertices. The arrays stay where they are as long as the simulation lives. Of a reduced one they are
  /// computed when somebody asks, once per step, on the thread that steps.
  const std::vector<double>& positions() const;
  const std::vector<double>& velocities() const;
  bool reduced() const;
  /// Replaces the state; sizes must match the model: unknowns, or xyz of all vertices.
  void set_state(State state);
  const Model& model() const;
  const SimulationOptions& options() const;
  const Integrator& integrator() const;
  Solver& solver();
  DynamicSystem& system();
  const DynamicSystem& system() const;
  /// All vertices and elements, also of a reduced simulation: what stresses are read from. Made when it is first
  /// asked for.
  const DynamicSystem& whole_system() const;
  int threads() const;

  /// Forces [N] on vertices (xyz of all) besides those of the model, in every step from now on; none: no more. Part
  /// neither of the state nor of the log of edits: whoever computes them gives them again.
  void set_forces(std::span<const double> forces);
  /// The first stage of the next step, with pins in place in its guess; system() has begun it. What was posted is
  /// not applied yet. InputError when the integrator has no stages.
  Stage first_stage();

  /// Thread-safe, also from observers: applied in order at the start of the next step.
  void post(Edit edit);
  /// Applies what was posted now, without a step: what somebody who has paused wants to see. Logged as for the next
  /// step.
  std::vector<EditRecord> apply_posted();
  /// Everything that was applied or refused so far, each as it can be applied again.
  const std::vector<EditRecord>& edits() const;
  /// Goes on where a run with these edits stood: they count as applied, those of the state without effect. Before
  /// set_state.
  void restore(std::vector<EditRecord> edits);
  /// Where parameters are found by path; edits of them are refused without.
  void set_source(std::shared_ptr<const ModelSource> source);
  const ModelSource* source() const;

  using Observer = std::function<void(const Simulation&, const StepReport&)>;
  /// Called after every committed step; the number is for unobserve, which may be called from an observer.
  int observe(Observer observer);
  void unobserve(int number);

  Energy energy();
  std::array<double, 3> momentum() const;
  /// About the origin.
  std::array<double, 3> angular_momentum() const;

 private:
  struct Parts;
  class Stages;
  class Editor;
  std::unique_ptr<Parts> parts_;
};

}  // namespace resilin
