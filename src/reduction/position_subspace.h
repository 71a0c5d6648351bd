// The positions that a reduced body can take: every handle carries an affine map, every vertex follows a blend of
// those around it (Brandt et al., Appendix B).
//
//   x_v = sum_a w_va (q_a0 + sum_k q_ak xi_ak(X_v)),   xi_ak(X) = axis_ak . (X - centre_a)         x = U q
//
// The q are xyz triples, "rows", like vertices. Centre and axes of a handle are those of its own support, weighed
// by m w^2 and scaled to unit variance: the span of Eq. 11 in coordinates in which the four columns of a handle are
// orthogonal in the mass. Directions in which a support is flat have no row, and neither have columns that depend
// on earlier ones, so that U has full column rank on every mesh. It knows no elements and no potentials.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/thread_pool.h"
#include "linear/linear_solver.h"
#include "linear/sparse_matrix.h"
#include "reduction/handle_weights.h"

namespace resilin {

/// Vertices with what moves them; rest positions from the subspace's origin in rows of 4.
struct LiftTable : HandleWeights {
  AlignedVector<double> rest;
};

class PositionSubspace {
 public:
  PositionSubspace() = default;
  /// Finds centres, axes and independent columns. `rest`: xyz. The last `modes` of the handles have no axes: their
  /// one column is their weights.
  PositionSubspace(std::span<const double> rest, std::span<const double> mass, const HandleWeights& weights,
                   int handles, ThreadPool& pool, int modes = 0);

  /// Unknowns are rows() xyz triples.
  int rows() const { return rows_; }
  int handles() const { return static_cast<int>(frame_.size()); }
  int vertices() const { return table_.vertices(); }
  std::span<const int> handles_of(int v) const { return table_.handles_of(v); }
  std::span<const double> weights_of(int v) const { return table_.weights_of(v); }
  /// Of column k of a handle, 0 (constant) to 3; -1: it has none.
  int row(int handle, int k) const { return frame_[handle].row[k]; }
  /// Of a vertex, from an origin of its own.
  const double* rest(int v) const { return &table_.rest[4 * v]; }
  /// What column k of a handle is at vertex v, without the weight: 1 or xi.
  double function(int handle, int k, int v) const;
  /// visit(row, weight) of each row that a vertex follows.
  template <class Visit>
  void each_weight(int vertex, Visit&& visit) const {
    const auto handles = handles_of(vertex);
    const auto weights = weights_of(vertex);
    for (std::size_t i = 0; i < handles.size(); ++i)
      for (int k = 0; k < 4; ++k)
        if (const int to = row(handles[i], k); to >= 0) visit(to, weights[i] * function(handles[i], k, vertex));
  }
  /// U^T M U, 1 x 1 blocks.
  const SymmetricMatrix& mass() const { return mass_; }

  /// x = U q, xyz of all vertices. One call of lift or pull_back at a time: both use workspaces of this object.
  void lift(const double* q, double* x, ThreadPool& pool) const;
  /// g = U^T f. The same bits for any number of threads.
  void pull_back(const double* f, double* g, ThreadPool& pool) const;
  /// (U^T M U)^-1 p; both may be the same.
  void solve_mass(const double* p, double* q, ThreadPool& pool) const { factor_->solve(p, q, pool); }
  /// The q whose lift is nearest to x in the mass: (U^T M U)^-1 U^T M x. `mass`: of the vertices.
  void project(std::span<const double> mass, const double* x, double* q, ThreadPool& pool) const;

  /// The affine maps of all handles, 16 doubles each: x = m[0..2] + sum_k m[4 k + 4 ..] Y_k with Y = X - origin.
  void maps(const double* q, double* maps) const;
  /// g += what moments, sums of w f and of w f Y_k in the same layout, are on the rows.
  void add_moments(const double* moments, double* g) const;

 private:
  friend class PartialLift;
  friend class ReductionFile;
  struct Frame {
    std::array<double, 3> centre;               // from the origin
    std::array<std::array<double, 3>, 3> axis;  // over the deviation along it
    std::array<int, 4> row;
  };
  void find_frames(std::span<const double> mass);
  void find_rows(std::span<const double> mass, ThreadPool& pool);
  bool factorise(ThreadPool& pool);

  int rows_ = 0;
  std::array<double, 3> origin_{};
  std::vector<Frame> frame_;
  LiftTable table_;  // of all vertices
  SymmetricMatrix mass_;
  std::unique_ptr<LinearSolver> factor_;
  mutable AlignedVector<double> maps_, moments_;
};

/// Some vertices, in the order of a list, with compact tables: what a step lifts again and again. The subspace must
/// stay where it is.
class PartialLift {
 public:
  PartialLift() = default;
  PartialLift(const PositionSubspace& subspace, std::span<const int> vertices);
  int size() const { return table_.vertices(); }
  /// Rows of 4; the fourth entries become zero.
  void lift(const double* q, double* rows, ThreadPool& pool) const;
  /// The same by parts, within a region of the caller's: where, and vertices [first, last) of the list.
  void begin(const double* q) const { subspace_->maps(q, maps_.data()); }
  void lift_part(int first, int last, double* rows) const;
  /// g += U^T f of forces in rows of 4. The same bits for any number of threads.
  void add_pull_back(const double* rows, double* g, ThreadPool& pool) const;

 private:
  const PositionSubspace* subspace_ = nullptr;
  LiftTable table_;
  mutable AlignedVector<double> maps_, moments_;
};

}  // namespace resilin
