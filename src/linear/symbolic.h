// What a Cholesky factorisation does, found from the pattern alone: ordering, elimination tree, supernodes, and a
// FIXED split of the supernodes into independent tasks plus a top part. The split never depends on the number of
// threads, so that neither do the results. Called once per pattern; knows no values. All indices count block rows.
//
// Final numbering: task 0's columns, task 1's, ..., the top's. Rows of a task's supernodes lie in the task or
// in the top.
#pragma once
#include <cstdint>
#include <vector>

#include "linear/ordering.h"

namespace resilin {

/// Where one stored block of A goes: into the panel of a supernode, at block (row, column) of its front.
struct PanelEntry {
  int slot, row, column;
  bool transposed;
};

struct Symbolic {
  int size = 0, block = 1;
  std::vector<int> order;     ///< order[final number] = the caller's block row
  std::int64_t nonzeros = 0;  ///< of L in scalars, before supernodes are merged

  // Supernode s: columns first[s] .. first[s + 1] - 1 share the rows row[row_start[s]] .. below them.
  std::vector<int> first, row_start, row, parent;
  std::vector<int> relative;            ///< for each row: its place in the parent's front
  std::vector<int> child_start, child;  ///< children of each supernode, ascending
  std::vector<int> entry_start;
  std::vector<PanelEntry> entry;

  // Task t: supernodes task_node[t] .. task_node[t + 1] - 1; the top: task_node[tasks()] .. nodes() - 1.
  std::vector<int> task_node;
  std::vector<int> run_order;         ///< tasks, the most expensive first
  std::vector<int> tail_start, tail;  ///< rows of the top that a task touches, ascending
  std::vector<int> local_row;         ///< for each row: its place in (own columns of the task, tail)

  int nodes() const { return static_cast<int>(parent.size()); }
  int tasks() const { return static_cast<int>(run_order.size()); }
  int width(int s) const { return first[s + 1] - first[s]; }
  int below(int s) const { return row_start[s + 1] - row_start[s]; }
};

Symbolic analyse_pattern(const SymmetricMatrix& a, OrderingMethod method);

}  // namespace resilin
