// A term laid out for the kernels: elements in packs of 8, part by part, with local vertex ids. `sweep` is the one
// skeleton gather -> operation -> scatter; the local steps of the objective and of the solvers are operations on
// blocks.
#pragma once
#include <vector>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "model/partition.h"

namespace resilin {

/// What an operation of a sweep sees: a block with room for every output. What it leaves in dpsi_z (3R per element,
/// per unit of measure) is scattered as a force gradient.
struct SweepBlock {
  Block block;
  const double* measure;  // [packs][8]; zero in padding lanes
};
/// What damping reads besides positions: rows of 4, local ids of the part, like positions.
struct Rates {
  const double *origin, *velocity;
  double tau;
};
using BlockOp = FunctionRef<void(SweepBlock&)>;

/// Elements of one term in groups, in place of the parts of a partition: group g holds element[start[g]] ..
/// element[start[g + 1] - 1], whose measures count `factor` times.
struct ElementGroups {
  std::vector<int> start = {0}, element;
  std::vector<double> factor;
};

class PackedTerm {
 public:
  /// Without parts.
  explicit PackedTerm(const Elements& elements);
  PackedTerm(const Model& model, int term, const Partition& partition);
  /// Local ids are `row_of` a vertex, the same for all groups.
  PackedTerm(const Model& model, int term, const ElementGroups& groups, std::span<const int> row_of);

  /// Another part: `members` of the elements that it was made for, whose vertices have the local ids `row_of`;
  /// `factor` of their measures may be empty: all one.
  void add_part(const Elements& elements, std::span<const int> members, std::span<const double> factor,
                std::span<const int> row_of);

  int rows() const { return rows_; }
  int corners() const { return corners_; }
  int packs() const { return static_cast<int>(slot_element_.size()) / 8; }
  int first_pack(int part) const { return pack_start_[part]; }
  /// The element in each slot; padding repeats the last element of its part with measure zero.
  std::span<const int> slot_element() const { return slot_element_; }

  /// For all packs of a part, in blocks: gather z from `x` (rows of 4, local ids), run `op`, scatter into `f` (rows
  /// of 4; null: nothing is scattered). With `rates` the blocks also have z_origin and z_velocity.
  void sweep(int part, const double* x, double* f, BlockOp op, const Rates* rates = nullptr) const {
    (rates == nullptr ? sweep_.plain : sweep_.with_rates)(*this, part, x, f, op, rates);
  }

  const int* ids(int pack) const { return ids_.data() + static_cast<std::size_t>(pack) * corners_ * 8; }
  /// Coefficients of the corners that are stored (all but the first when constants are in the kernel):
  /// [R][stored][8].
  const double* coefficients(int pack) const {
    return coefficients_.data() + static_cast<std::size_t>(pack) * rows_ * stored_ * 8;
  }
  int stored() const { return stored_; }
  const double* measure(int pack) const { return measure_.data() + static_cast<std::size_t>(pack) * 8; }

 private:
  template <int R, int N, bool TranslationFree>
  void gather(int pack, const double* x, double* z) const;
  template <int R, int N, bool TranslationFree>
  void scatter(int pack, const double* dpsi_z, double* f) const;
  template <int R, int N, bool TranslationFree, bool WithRates>
  static void sweep_as(const PackedTerm& term, int part, const double* x, double* f, BlockOp op,
                       const Rates* rates);
  using Sweep = void (*)(const PackedTerm&, int, const double*, double*, BlockOp, const Rates*);
  struct Sweeps {
    Sweep plain, with_rates;
  };

  int rows_, corners_, stored_;
  std::vector<int> slot_element_, pack_start_;
  AlignedVector<int> ids_;
  AlignedVector<double> coefficients_, measure_;
  Sweeps sweep_;
};

}  // namespace resilin
