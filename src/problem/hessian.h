// Assembly of the second derivative of Phi into a sparse matrix, deterministic like its gradient: every part sums
// its elements into its own copy of the blocks it touches, then copies of a block are added in the order of the
// parts.
#pragma once
#include <vector>

#include "core/aligned.h"
#include "linear/sparse_matrix.h"
#include "problem/partitioned_elements.h"

namespace resilin {

class HessianAssembly {
 public:
  /// `pattern`: 3 x 3 blocks on the free vertices.
  HessianAssembly(PartitionedElements& elements, const Space& space, const SymmetricMatrix& pattern);
  /// Sets the matrix to the elements' part, d2psi/dz2 being evaluated by `op` on every block.
  void assemble(Assembly& assembly, const PartitionedElements::Pass& pass,
                FunctionRef<void(int, int, SweepBlock&)> op, SymmetricMatrix& matrix);

 private:
  void number_blocks(const SymmetricMatrix& pattern);
  void add_block(int term, int part, const SweepBlock& sweep);

  PartitionedElements& elements_;
  const Space& space_;
  // For every pack of every term: [pairs a <= b][8] of 2 * (block of the part) + (stored transposed), or -1 when
  // pinned.
  std::vector<std::vector<int>> slots_;
  std::vector<int> part_offset_;           // first block of a part in copies_
  std::vector<int> copy_start_, copy_of_;  // matrix slot -> rows of copies_, ascending by part
  AlignedVector<double> copies_;           // 9 per block
};

}  // namespace resilin
