// The elements of the model, packed part by part over the fixed partition: one region over parts (gather,
// operation, scatter into the part's own copies of vertices). Evaluations of Phi and the local steps of solvers are
// operations of the same sweep.
#pragma once
#include <memory>
#include <vector>

#include "model/partition.h"
#include "potentials/evaluate.h"
#include "problem/assembly.h"
#include "problem/element_sample.h"
#include "problem/revision.h"

namespace resilin {

class PartitionedElements {
 public:
  /// `sample`: the elements that stand for all, null: all. All must outlive it.
  PartitionedElements(const Model& model, Space& space, const SampledElements* sample)
      : model_(model), space_(space), sampled_(sample), partition_(model, sample) {}

  const Partition& partition() const { return partition_; }
  const Model& model() const { return model_; }
  const std::vector<PackedTerm>& terms() const { return packed_; }
  /// Terms as the model has them, in the caller's order.
  int term_count() const { return static_cast<int>(model_.terms.size()); }
  const Term& term(int t) const { return model_.terms[t]; }
  /// Vertices that elements hold in space: obstacles, soft pins.
  std::vector<int> held_vertices() const;
  /// Of a term, in the order of its packs.
  const TermKernels& kernels(int term) const { return kernels_[term]; }
  bool damped() const { return damped_; }
  bool damped(int term) const { return term_damped_[term] != 0; }
  int parts() const { return partition_.parts(); }

  /// Where copies of vertices come from; it must outlive this.
  void set_assembly(Assembly& assembly) { assembly_ = &assembly; }
  /// Elements or their maps are others.
  void lay_out();
  /// Potentials may be others.
  void pack_kernels();
  void set_time(double time);
  /// A stage begins: what damping reads of it, and nothing that an earlier evaluation has left, so that a solve
  /// repeats to the last bit.
  void begin(const Stage& stage);

  struct Pass {
    bool scatter = true;                           // what the operation leaves in dpsi_z
    bool in_stage = true;                          // remembered rotations start the search for the next ones
    const Rates* rates = nullptr;                  // what damping reads; null: it is left out
    const std::vector<char>* leave_out = nullptr;  // terms
  };
  /// Of the stage; null where nothing is damped.
  const Rates* stage_rates() const;
  /// Rates for which dR/dv is evaluated at velocities v.
  Rates rates_at(const double* v);
  /// Runs `op(term, part, block)` on every block at y: for operations that read z alone. Nothing is scattered, and
  /// damped terms are spared the coordinates of their origin.
  void sweep_coordinates(const double* y, FunctionRef<void(int, int, SweepBlock&)> op);
  /// Runs `op(term, part, block)` on every block of the active components at the positions of `assembly`.
  void sweep(Assembly& assembly, const Pass& pass, FunctionRef<void(int, int, SweepBlock&)> op);

  /// A fixed sample of the elements, made when first asked for; it depends on the model only.
  const ElementSample& sample();
  /// Runs `op(group, block)` on every block of the sample at y, which is xyz of all vertices. Nothing is scattered.
  void sweep_sample(const double* y, FunctionRef<void(int, SweepBlock&)> op);
  void drop_sample() { sample_.reset(); }

 private:
  double* guess(int term, int pack, bool in_stage);
  void gather_all(const double* y, AlignedVector<double>& copies);
  void choose_parts();

  const Model& model_;
  Space& space_;
  const SampledElements* sampled_;
  Partition partition_;
  std::vector<PackedTerm> packed_;
  std::vector<TermKernels> kernels_;      // by term
  std::vector<std::uint64_t> packed_of_;  // stamps of the potentials that they were made of
  std::vector<int> active_parts_;
  // Of damping: the stage's origin and velocity, and velocities outside of stages.
  AlignedVector<double> origin_copies_, velocity_copies_, rate_copies_, sample_positions_;
  Rates stage_rates_{};
  // Rotations of the last evaluation in this stage, by term: where potentials read them they start the next search.
  std::vector<AlignedVector<double>> guess_;
  bool guesses_cold_ = true, damped_ = false;
  std::vector<char> term_damped_;
  double time_ = 0;
  Assembly* assembly_ = nullptr;
  std::unique_ptr<ElementSample> sample_;
};

}  // namespace resilin
