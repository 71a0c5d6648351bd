// Rows of the stiffness of obstacles, K (3 x 3 on each vertex in contact), for one connected component:
//
//   A + sum_p K_p (w_p w_p^T) (x) n_p n_p^T     w_p: mean over a patch of vertices, n_p: an axis of its stiffness
//   = A^-1 - Z C^-1 Z^T,  Z = A^-1 W,  C = 1/K + W^T Z                                         (Woodbury)
//
// By Cauchy and Schwarz rows never overestimate K. A is the same for x, y and z, so one scalar column A^-1 w serves
// every direction: obstacles of any shape, and friction, add rows but no columns. Patches are nodes of a fixed tree
// over the vertices that can be in contact; a column depends on A and its patch only and is kept from stage to
// stage, in single precision, since it is read in every iteration. Used by ObstacleLevel.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "linear/dense.h"
#include "problem/problem.h"
#include "solvers/precondition/operator.h"
#include "solvers/precondition/vertex_smoother.h"

namespace resilin {

/// The vertices of a component that can be in contact, in the order of a bisection. A node is a range of them.
class PatchTree {
 public:
  struct Column {
    int first = 0, last = 0;  // of the node
    std::uint64_t used = 0;
    AlignedVector<float> z;  // A^-1 w by place in `vertices`, padded to 16
  };
  PatchTree() = default;
  /// `vertices`: all of the component, ascending; `touchable`: those that can be in contact.
  PatchTree(const std::vector<double>& rest, std::vector<int> vertices, std::vector<int> touchable);
  int size() const { return static_cast<int>(order.size()); }
  /// The column of a node, made when `anew`.
  int column(int first, int last, std::uint64_t clock, bool& anew);
  /// Takes the column out of one axis of a vector.
  void store(std::span<const double> from, std::size_t axis, Column& column) const;

  std::vector<int> vertices;
  std::vector<int> order;      // leaves from left to right
  std::vector<int> ascending;  // places in `order`, by vertex
  std::vector<int> place;      // of each vertex of `order` in `vertices`
  std::vector<Column> columns;
};

class PatchRows {
 public:
  /// Patches of the vertices that touch, by place in the order of the tree.
  void choose(const PatchTree& tree, std::span<const char> touched);
  /// The columns that patches need and the tree does not have are appended to `missing`.
  void find_columns(PatchTree& tree, std::uint64_t clock, std::vector<int>& missing);
  /// Rows along the principal axes of every patch's stiffness, by place in the order of the tree.
  void make(const PatchTree& tree, std::span<const Symmetric3> stiffness);
  bool empty() const { return rows_.empty(); }
  /// C^-1 W^T d, for subtract.
  void find_loads(const PatchTree& tree, const double* d);
  /// d -= Z of that on the vertices [begin, end) of the component. From several threads.
  void subtract(const PatchTree& tree, int begin, int end, double* d) const;

 private:
  struct Row {
    int patch;
    std::array<double, 3> axis;
    double stiffness;
  };
  struct Patch {
    int first, last;  // vertices of the patch: order[first] .. order[last - 1]
    int column;
  };
  void take_common_axis();
  void factorise(const PatchTree& tree);

  std::vector<Patch> patches_;
  std::vector<Row> rows_;
  bool one_axis_ = false;      // all rows have the same
  std::vector<double> mean_;   // of patches: w_p . z_q
  DenseCholesky capacitance_;  // C
  std::vector<double> right_;
  std::vector<float> loads_;  // by patch: three numbers, or one along the axis of all
};

/// Axes of a symmetric matrix, by rows, and their values, ascending.
struct PrincipalAxes {
  std::array<double, 3> value;
  std::array<std::array<double, 3>, 3> axis;
};
PrincipalAxes principal_axes(const Symmetric3& matrix);
/// Values up to this, of the largest, count as zero.
constexpr double negligible_axis = 1e-6;

}  // namespace resilin
