// Gauss-Seidel on the vertices in contact, with A' = A + K: what low-rank rows of mean motions cannot see is local.
// The vertices in contact (points) and those next to them (ring) have copies of their own, in rows of 4: a sweep
// reads what it needs from a few kilobytes, and a vertex is one vector.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "problem/problem.h"

namespace resilin {

/// A on vertices, both triangles, by row; columns ascend; the diagonal apart.
struct NeighbourMatrix {
  std::vector<int> start, column;
  std::vector<double> value, diagonal;
};

NeighbourMatrix neighbour_matrix(Problem& problem);

/// Symmetric 3 x 3, lower triangle row by row.
using Symmetric3 = std::array<double, 6>;
Symmetric3 inverse(const Symmetric3& matrix);

class VertexSmoother {
 public:
  struct Point {
    int vertex;
    Symmetric3 stiffness;  // K_v
    bool operator==(const Point&) const = default;
  };
  /// `points`: ascending. `anew`: A may be another one. `pairs`: that push each other; of their vertices only
  /// points move.
  void set(std::span<const Point> points, const NeighbourMatrix& a, bool anew,
           std::span<const PairStiffness> pairs = {});
  /// z: some sweeps for r from zero, kept for `backward`. load = r becomes r - A' z.
  void forward(double* load);
  /// d becomes d + z, then as many sweeps for r in reverse.
  void backward(double* d);

 private:
  /// Sparse rows: entries start[i] .. start[i + 1] - 1 are those of row i.
  struct Sparse {
    std::vector<int> start, column;
    std::vector<double> value;
    void clear() { start.assign(1, 0), column.clear(), value.clear(); }
    void add(int of, double entry) { column.push_back(of), value.push_back(entry); }
    void end_row() { start.push_back(static_cast<int>(column.size())); }
  };

  void find_neighbours(const NeighbourMatrix& a);
  void take_pairs(std::span<const PairStiffness> pairs);
  void visit(std::size_t point, bool after);
  void move(std::size_t point, bool note);

  std::vector<int> vertices_, ring_;  // points; next to them
  Sparse before_, after_, beside_;    // neighbours of points: points before and after them, the ring
  Sparse to_points_;                  // of the ring
  std::vector<int> place_;            // of vertices, while it is set
  Sparse of_pairs_;                   // of points: pairs and their weights
  // In rows of 4: of points r, z (then d) and the change of z in the last sweep; d of the ring; three for the
  // inverse of A_vv + K_v.
  AlignedVector<double> right_, z_, change_, outside_, inverse_;
  // Of pairs the weighed sum of z, and three for the Hessian; of each entry of of_pairs_ that sum when its point
  // was visited last.
  AlignedVector<double> sum_, hessian_, seen_;
};

}  // namespace resilin
