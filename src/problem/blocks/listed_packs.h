// Elements of a term that come and go, laid out to be evaluated: packs in groups, each with copies of its own
// vertices, and for every vertex the list of its copies, summed in fixed order. Nothing depends on the thread
// count, nor on which elements without effect are listed.
#pragma once
#include <algorithm>
#include <vector>

#include "core/thread_pool.h"
#include "model/packed_term.h"
#include "potentials/evaluate.h"
#include "problem/coordinates.h"

namespace resilin {

class ListedPacks {
 public:
  /// `listed`: elements of the term, ascending.
  ListedPacks(const Term& term, std::vector<int> listed);
  /// All of them.
  explicit ListedPacks(const Term& term);

  int size() const { return static_cast<int>(listed_.size()); }
  void set_time(double time) { kernels_.set_time(time); }
  /// Energies of all elements and, with derivatives, what they have of the gradient and of the second derivatives
  /// of points, filtered.
  void evaluate(const Coordinates& coordinates, const double* y, int derivatives, ThreadPool& pool);

  // ---- of the last evaluate
  /// each(vertex, gradient[3]), in the order of vertices.
  template <class Each>
  void gradients(Each&& each) const {
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      double g[3] = {0, 0, 0};
      for (int c = copies_start_[i]; c < copies_start_[i + 1]; ++c)
        for (int k = 0; k < 3; ++k) g[k] += f_[4 * copies_[c] + k];
      each(vertices_[i], g);
    }
  }
  /// each(element, energy), in the order of elements.
  template <class Each>
  void energies(Each&& each) const {
    for (int i = 0; i < size(); ++i) each(listed_[i], energy_[slot_[i]]);
  }
  /// each(element, energy, gradient[3], hessian[6]) of a term of points, in the order of elements.
  template <class Each>
  void points(Each&& each) const {
    for (int i = 0; i < size(); ++i)
      each(listed_[i], energy_[slot_[i]], &derivative_[9 * slot_[i]], &derivative_[9 * slot_[i] + 3]);
  }

  /// each(element, blocks) with the second derivatives of all elements at y, in the order of elements: blocks
  /// [corner][corner][3][3], positive semidefinite when filtered.
  template <class Each>
  void hessians(const Coordinates& coordinates, const double* y, bool filter, ThreadPool& pool, Each&& each) {
    find_hessians(coordinates, y, filter, pool);
    const std::size_t size = hessian_.size() / std::max<std::size_t>(1, energy_.size());
    for (int i = 0; i < this->size(); ++i) each(listed_[i], &hessian_[size * static_cast<std::size_t>(slot_[i])]);
  }

 private:
  void find_hessians(const Coordinates& coordinates, const double* y, bool filter, ThreadPool& pool);
  void add_corners(const SweepBlock& sweep, int slot, double* blocks) const;
  struct Group {
    int first_row, rows;
  };
  std::vector<int> listed_, slot_;  // slot of each listed element
  std::vector<Group> groups_;
  std::vector<int> row_vertex_;                        // of all groups
  std::vector<int> vertices_, copies_start_, copies_;  // rows of each vertex, ascending
  PackedTerm packed_;
  TermKernels kernels_;
  std::vector<double> x_, f_, energy_, derivative_;  // rows of 4; by slot; by slot 9, points only
  std::vector<double> hessian_;                      // by slot (3 corners)^2
};

}  // namespace resilin
