// The second-order information of Phi at one point. Each kind is found when it is first asked for, and once:
// stiffness of single vertices and of pairs for preconditioners, the exact Hessian as a matrix, and products H p
// without a matrix.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "problem/constant_matrix.h"
#include "problem/energy_blocks.h"
#include "problem/hessian.h"

namespace resilin {

class Linearisation {
 public:
  Linearisation(PartitionedElements& elements, Assembly& assembly, EnergyBlocks& blocks,
                const ConstantMatrix& constant, const Space& space);
  /// The model has other elements: patterns are made anew.
  void forget();
  /// The point is y from now on, in a stage whose inertia that is.
  void move_to(const double* y, const Inertia& inertia);
  /// Phi is another function, or other components are active: nothing that was found holds.
  void invalidate();

  /// Obstacles, drags and friction at vertices of active components, by component.
  const std::vector<PointStiffness>& points();
  /// Pairs of surface parts that touch, of active components.
  const std::vector<PairStiffness>& pairs();
  /// Energies of many vertices at once.
  const std::vector<RankOneStiffness>& rank_one();

  /// d2 Phi/dy2 without the energies of rank one, on the free vertices in 3 x 3 blocks; positive definite when
  /// filtered. Its pattern is made anew when `pattern_stamp` has changed.
  void assemble(SymmetricMatrix& matrix, bool filter);
  SymmetricMatrix pattern();
  std::uint64_t pattern_stamp() const;
  /// hp = H p with all energies; zero on pinned rows. Exact but for damping, whose viscosity is taken as constant.
  void multiply(const double* p, double* hp);

 private:
  void add_inertia(SymmetricMatrix& matrix) const;
  void add_points(SymmetricMatrix& matrix);
  void add_listed(SymmetricMatrix& matrix, bool filter);
  void find_element_hessians();
  void multiply_listed(const double* p);

  PartitionedElements& elements_;
  Assembly& assembly_;
  EnergyBlocks& blocks_;
  const ConstantMatrix& constant_;
  const Space& space_;
  std::vector<double> y_, zero_, lifted_;  // lifted_: a direction by vertex
  std::array<std::uint64_t, 2> of_{};      // lists of contact and active components that it was found for
  Inertia inertia_{nullptr, 1};
  bool has_points_ = false, has_pairs_ = false, has_rank_one_ = false, has_elements_ = false;
  std::vector<PointStiffness> points_;
  std::vector<PairStiffness> pairs_;
  std::vector<RankOneStiffness> rank_one_;
  std::vector<AlignedVector<double>> element_hessians_;  // by term: d2psi/dz2 of its packs
  std::unique_ptr<HessianAssembly> hessian_;
  std::uint64_t hessian_of_ = 0, layouts_ = 1;
};

}  // namespace resilin
