// A model made ready for computation, M a = f_ext(t) - grad V(q) - dR/dv(q, v): its unknowns, packed elements,
// energy blocks and constant matrix. It lives as long as the simulation, follows changes of the model, and lays out
// each stage as a Problem.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "problem/problem.h"

namespace resilin {

class DynamicSystem {
 public:
  /// The model must outlive it. In a `subspace` its unknowns are those of that, and its elements those of its
  /// sample; null: all of them.
  DynamicSystem(const Model& model, ThreadPool& pool, Subspace* subspace = nullptr);
  /// The model has changed: whatever depends on the change is made anew, and nothing else. `terms`: they may have;
  /// false: only pins, drags and loads.
  void update(bool terms = true);

  const Model& model() const { return model_; }
  const Space& space() const { return space_; }
  const PartitionedElements& elements() const { return elements_; }
  const EnergyBlocks& blocks() const { return blocks_; }
  /// Of the model as it is now.
  const Revision& revision() const { return revision_; }

  // ---- a stage
  /// Begins a stage with what `memory` has kept of contact. It forgets what evaluations remember to be faster, so
  /// that a solve repeats to the last bit.
  Problem& begin(const Stage& stage, const Memory& memory = {});
  /// Half spaces against tunnelling count from now on until the stage ends.
  void begin_guards(const Stage& stage);
  /// Contact as `memory` has it, for energies outside of a solve.
  void recall(const Stage& stage, const Memory& memory);
  /// The stage begins again, with contact as it is known by now.
  void begin_again(const Stage& stage);
  /// The stage, or the last one.
  Problem& problem() { return problem_; }
  const Problem& problem() const { return problem_; }
  /// False: the stage has ended at y, but something came near on the way that contact had left out. It counts now:
  /// solve again.
  bool all_contacts_listed(const Stage& stage, const double* y, const Memory& memory);
  /// The stage has ended at y. Vertices that flew through an obstacle or stand in a projected one are moved out of
  /// it, and what contact keeps goes to `memory`.
  void end(const Stage& stage, std::vector<double>& y, Memory& memory);

  // ---- independent of the stage
  void set_time(double time);
  /// V(q) and, unless null, its gradient on ALL rows.
  double potential_energy(const double* q, double* gradient);
  bool damped() const { return elements_.damped(); }
  /// dR/dv(q, v) of all damping on ALL rows (unless null), and the power [W] that each model takes out, by name.
  void damping(const double* q, const double* v, double* gradient,
               std::vector<std::pair<std::string, double>>* power);
  /// -M^-1 (grad V(q) + dR/dv(q, v)).
  void acceleration(double time, const double* q, const double* v, double* a);
  /// M^-1 f_ext(time): gravity and loads.
  void external(double time, double* a) const;

  // ---- contact, read out
  /// Between bodies when the last stage ended, infinite when none were near each other [m].
  double smallest_gap() const;
  /// Bodies that pass through each other, or through themselves.
  std::vector<std::array<int, 2>> overlapping() const;
  /// The deepest vertex of each component in an obstacle at y [m].
  std::vector<double> obstacle_depths(const double* y);

 private:
  void lay_out();
  void hold_pins();
  void find_loads();
  void measure_stiffness();
  void begin_stage(const Stage& stage);

  const Model& model_;
  Subspace* subspace_;  // null: unknowns are vertices
  Space space_;
  PartitionedElements elements_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<FittedAssembly> fitted_;
  EnergyBlocks blocks_;
  ConstantMatrix constant_;
  Revision revision_;
  TermStamps stamps_;
  Problem problem_;
  std::vector<Term> pin_terms_;             // pins, as springs: a subspace cannot follow them exactly
  std::vector<double> gravity_;             // of a subspace: accelerations of its unknowns
  std::vector<std::vector<double>> force_;  // the same of each external force, with a signal of 1
  std::vector<double> part_energy_, damping_gradient_, rate_gradient_, outside_, fraction_;
  Evaluation here_;
};

}  // namespace resilin
