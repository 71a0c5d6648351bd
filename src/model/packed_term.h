// A term laid out for the kernels: elements in packs of 8, part by part, with local vertex ids. `sweep` is the one skeleton
// gather -> operation -> scatter; the local steps of the objective and of the solvers are operations on blocks.
#pragma once
#include <vector>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "model/partition.h"

namespace resilin {

/// What an operation of a sweep sees: a block with room for every output. What it leaves in dpsi_z (3R per element, per unit
/// of measure) is scattered as a force gradient.
struct SweepBlock {
  Block block;
  const double* measure;  // [packs][8]; zero in padding lanes
};
using BlockOp = FunctionRef<void(SweepBlock&)>;

class PackedTerm {
 public:
  PackedTerm(const Model& model, int term, const Partition& partition);

  int rows() const { return rows_; }
  int corners() const { return corners_; }
  int packs() const { return static_cast<int>(slot_element_.size()) / 8; }
  int first_pack(int part) const { return pack_start_[part]; }
  /// The element in each slot; padding repeats the last element of its part with measure zero.
  std::span<const int> slot_element() const { return slot_element_; }

  /// For all packs of a part, in blocks: gather z from `x` (rows of 4, local ids), run `op`, scatter into `f` (rows of 4; null:
  /// nothing is scattered).
  void sweep(int part, const double* x, double* f, BlockOp op) const { sweep_(*this, part, x, f, op); }

  const int* ids(int pack) const { return ids_.data() + static_cast<std::size_t>(pack) * corners_ * 8; }
  /// Coefficients of the corners that are stored (all but the first when constants are in the kernel): [R][stored][8].
  const double* coefficients(int pack) const { return coefficients_.data() + static_cast<std::size_t>(pack) * rows_ * stored_ * 8; }
  int stored() const { return stored_; }
  const double* measure(int pack) const { return measure_.data() + static_cast<std::size_t>(pack) * 8; }

 private:
  template <int R, int N, bool TranslationFree>
  static void sweep_as(const PackedTerm& term, int part, const double* x, double* f, BlockOp op);
  using Sweep = void (*)(const PackedTerm&, int, const double*, double*, BlockOp);
  static Sweep choose_sweep(int rows, int corners, bool translation_free);

  int rows_, corners_, stored_;
  std::vector<int> slot_element_, pack_start_;
  AlignedVector<int> ids_;
  AlignedVector<double> coefficients_, measure_;
  Sweep sweep_;
};

}  // namespace resilin
