// Symmetric block-sparse matrix: the lower triangle with its diagonal, in CSR by block rows (columns <= row,
// sorted). A block is b x b, row-major, b = 1 (one scalar per vertex, applied to x, y and z alike) or b = 3.
// The objective and the solvers fill `value`; a LinearSolver factorises it. It must not know meshes, terms or
// pins: who is coupled with whom arrives as cliques of vertex ids.
#pragma once
#include <span>
#include <vector>

namespace resilin {

class SymmetricMatrix {
 public:
  SymmetricMatrix() = default;
  /// The pattern in which the vertices of each clique are coupled with each other. Clique k holds
  /// vertex[offset[k]] .. vertex[offset[k + 1] - 1]; negative ids (pinned vertices) are ignored, repeated
  /// ones allowed. The diagonal is always present. Values are zero.
  SymmetricMatrix(int size, int block, std::span<const int> offset, std::span<const int> vertex);

  int size() const { return size_; }    ///< block rows
  int block() const { return block_; }  ///< b
  int slots() const { return static_cast<int>(column.size()); }

  /// The slot of block (row, col), row >= col, or -1 when it is not in the pattern. Its values start at slot
  /// * b * b.
  int find(int row, int col) const;
  /// Rows and columns `rows`, ascending, which nothing couples with others.
  SymmetricMatrix submatrix(std::span<const int> rows) const;
  /// Sets all values to zero and keeps the pattern.
  void clear();
  /// y = A x. For b = 1 x and y are n x 3, row-major; for b = 3 vectors of 3n. They must not overlap.
  void multiply(const double* x, double* y) const;

  std::vector<int> start = {
      0};  ///< slots of block row i: start[i] .. start[i + 1] - 1, the last one is the diagonal
  std::vector<int> column;
  std::vector<double> value;

 private:
  int size_ = 0;
  int block_ = 1;
};

}  // namespace resilin
