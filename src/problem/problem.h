// One stage of a time step as a minimisation: what every solver sees and every report is measured with,
//
//   Phi(y) = 1/(2 tau^2) |y - target|_M^2 + V(y) + S(y; origin, v_n, tau)          [J], gradient [N]
//
// over the unknowns of a Space. V is the partitioned elements and the energy blocks, S damping
// (potentials/dissipation.h). Owned by a DynamicSystem, which begins and ends the stages.
#pragma once

#include "problem/linearisation.h"
#include "problem/profiler.h"

namespace resilin {

/// What contact has left of a step.
using LimitedStep = FeasibleRegion::Clipped;

class Problem {
 public:
  Problem(Space& space, PartitionedElements& elements, Assembly& assembly, FittedAssembly* fitted,
          EnergyBlocks& blocks, ConstantMatrix& constant, const Revision& revision);

  Space& space() { return space_; }
  const Space& space() const { return space_; }
  const Stage& stage() const { return stage_; }
  /// Phi(y) and, unless null, its gradient, zero on pinned rows. `room`: an evaluation that is not needed any more,
  /// so that nothing is allocated.
  Evaluation evaluate(const double* y, double* gradient, Evaluation room = {});
  /// Second-order information at y: valid until the next call, or until Phi is another function.
  Linearisation& linearise(const double* y);
  /// A local step: runs `op(term, part, block)` on every block at y. What it leaves in dpsi_z is scattered, and
  /// inertia and blocks are added but those of obstacles, which are elements to it. The energies that it returns
  /// are those of the blocks. In a subspace forces are fitted to those of all elements, and the energy of inertia
  /// is left out.
  Evaluation sweep(const double* y, double* gradient, FunctionRef<void(int, int, SweepBlock&)> op,
                   Evaluation room = {});
  /// In a subspace: forces fitted to those of all elements; else null.
  FittedAssembly* fitted() { return fitted_; }

  /// Contact lists what may touch around a new iterate y; `last`: how it was limited on the way there. True: Phi is
  /// another function now, and what is known of the old one does not hold.
  bool refresh(const double* y, const LimitedStep& last);
  /// Shortens the steps of vertices from `from` to `to` until no surface passes through another. fraction[c] is the
  /// least fraction that a vertex of component c's island has left, 1 where none was shortened; `uniform`: all of
  /// its vertices keep the same.
  LimitedStep limit_step(const double* from, double* to, std::vector<double>& fraction, bool uniform = false);
  /// Moves a start of the stage to where contact lets it come from `from`, a rigid motion of each island from where
  /// the step began. True: steps may begin at y only; false: at `from` as well.
  bool advance_start(const double* from, double* y);

  PartitionedElements& elements() { return elements_; }
  const PartitionedElements& elements() const { return elements_; }
  EnergyBlocks& blocks() { return blocks_; }
  const EnergyBlocks& blocks() const { return blocks_; }
  ConstantMatrix& constant() { return constant_; }
  const ConstantMatrix& constant() const { return constant_; }
  /// Of the model as it is now.
  const Revision& revision() const { return revision_; }
  Profiler& profiler() const { return profiler_; }
  Budget& budget() { return budget_; }

 private:
  friend class DynamicSystem;
  void evaluate_parts(const double* y, const Inertia* inertia, PartitionedElements::Pass pass, double* gradient,
                      Evaluation& out);
  void evaluate_blocks(const double* y, Assembly* forces, bool obstacles);
  Inertia inertia() const { return {stage_.target.data(), stage_.tau}; }

  Space& space_;
  PartitionedElements& elements_;
  Assembly& assembly_;
  FittedAssembly* fitted_;  // null unless the unknowns are those of a subspace
  EnergyBlocks& blocks_;
  ConstantMatrix& constant_;
  const Revision& revision_;
  Stage stage_;
  Linearisation linearisation_;
  mutable Profiler profiler_;
  Budget budget_;
  std::vector<double> part_energy_, block_energy_, stiffness_scale_, squares_, scratch_;
};

/// Whether contact limits steps in this stage.
bool limits_steps(const Problem& problem);

}  // namespace resilin
