// Assembly of the second derivative of the objective, deterministic like its gradient: every part sums its elements into its own
// copy of the blocks it touches, then copies of a block are added in the order of the parts.
#pragma once
#include <vector>

#include "core/aligned.h"
#include "linear/sparse_matrix.h"

namespace resilin {

class Objective;
struct SweepBlock;

class HessianAssembly {
 public:
  HessianAssembly(Objective& objective, const SymmetricMatrix& pattern);
  void assemble(const double* y, SymmetricMatrix& matrix, bool filter);

 private:
  void add_block(int term, int part, const SweepBlock& sweep);

  Objective& objective_;
  // For every pack of every term: [pairs a <= b][8] of 2 * (block of the part) + (stored transposed), or -1 when pinned.
  std::vector<std::vector<int>> slots_;
  std::vector<int> part_offset_;           // first block of a part in copies_
  std::vector<int> copy_start_, copy_of_;  // matrix slot -> rows of copies_, ascending by part
  AlignedVector<double> copies_;           // 9 per block
};

}  // namespace resilin
