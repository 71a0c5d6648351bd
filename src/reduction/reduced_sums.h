// Sums over all vertices or elements on pairs of columns: U^T M U, U^T L U, U^T S^T V, V^T W V. The mesh is cut
// into chunks of neighbouring vertices, on which few handles act; there U, V and what they are multiplied with are
// small dense matrices, and a chunk is a product of two of them. L U and S^T V are first brought to the vertices,
// of which there are four times fewer than tets. Chunks and the order in which they are added depend on the mesh
// only.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/thread_pool.h"
#include "linear/dense.h"
#include "linear/sparse_matrix.h"
#include "reduction/furthest_points.h"
#include "reduction/handle_weights.h"
#include "reduction/position_subspace.h"
#include "resilin/model.h"

namespace resilin {

/// A symmetric matrix by pairs of handles, a >= b: 4 x 4 numbers each, zero where a handle has no row.
class HandlePairs {
 public:
  double* at(int a, int b);
  void add(const HandlePairs& other);
  /// Pairs (a, b) that are there, ascending.
  std::vector<std::pair<int, int>> pairs() const;
  const double* find(int a, int b) const;

 private:
  static std::uint64_t key(int a, int b) {
    return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(static_cast<std::uint32_t>(b));
  }
  std::unordered_map<std::uint64_t, std::size_t> place_;
  std::vector<double> value_;
};

/// On the rows of the subspace, all with the pattern of their union.
std::vector<SymmetricMatrix> symmetric_matrix(const PositionSubspace& positions,
                                              const std::vector<const HandlePairs*>& sums);
/// The entries of a sum in a matrix whose pattern holds them.
void set_values(const PositionSubspace& positions, const HandlePairs& sum, SymmetricMatrix& matrix);

/// Elements with what a fit needs of them: columns of V are w_ij {constant, p^x, p^y, p^z}.
struct FittedElements {
  const Elements& elements;
  const HandleWeights& weights;  // of the fit's handles, by vertex
  int handles;
  std::span<const double> p, k;  // R x 3 per element; stiffness per unit of measure
  double constant;
};

class ReducedSums {
 public:
  /// The subspace must outlive this.
  ReducedSums(const PositionSubspace& positions, ThreadPool& pool);

  /// U^T M U.
  HandlePairs mass(std::span<const double> mass) const;
  /// U^T (sum measure D^T Q D) U; `stiffness` gives the R x R matrix Q of an element and is called from several
  /// threads. Of some elements: costs what these do.
  HandlePairs stiffness(const Elements& elements, FunctionRef<void(int element, double* q)> stiffness,
                        Members members = {}) const;
  /// U^T S^T V: sum measure k (D U)^T V, rows x 4 handles.
  DenseMatrix forces(const FittedElements& fitted, Members members = {}) const;
  /// V^T W V with the measures, 4 handles squared.
  DenseMatrix gram(const FittedElements& fitted) const;

 private:
  using Chunks = std::span<const std::vector<int>>;
  template <class Sum, class Each>
  Sum sum_chunks(Sum zero, const Adjacency* around, Each&& each) const;
  std::span<const int> chunk(int c) const;

  const PositionSubspace& positions_;
  ThreadPool& pool_;
  std::vector<int> order_;  // vertices along a curve
  int chunk_size_, chunks_;
};

/// Weights of a fit at an element: the mean of its corners', which sums to one.
void element_weights(const HandleWeights& weights, std::span<const int> corners,
                     std::vector<std::pair<int, double>>& out);

}  // namespace resilin
