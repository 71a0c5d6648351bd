// Obstacles that are no energy (Response of resilin/potential.h): vertices of a term of points and the nearest
// places that are allowed to them. Hard ones are inequalities of Phi: what its gradient means there, and how far
// they are violated, is said here for all solvers. Called by Objective.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "resilin/model.h"

namespace resilin {

class Inequalities {
 public:
  /// Those of the model; vertices with a negative `free_index` are left where they are.
  void take(const Model& model, std::span<const int> free_index);
  void set_time(double time);
  bool any(Response which) const;

  /// Moves the vertices of y that are inside of an obstacle of that kind to the nearest place outside.
  void project(Response which, double* y, ThreadPool& pool) const;
  /// The largest depth in hard ones [m].
  double depth(const double* y, ThreadPool& pool) const;
  /// Where y - g/s would be inside of a hard one, with s = mass/tau^2 of the vertex, g becomes s (y - nearest):
  /// zero with y on the border and a force that presses it there, so that it is zero where Phi is least under the
  /// inequalities, and nowhere else.
  void reduce(const double* y, std::span<const double> mass, double tau, double* gradient, ThreadPool& pool) const;

 private:
  struct Region {
    Response response;
    std::vector<int> vertices;  // free ones
    std::unique_ptr<Kernel> kernel;
  };
  template <class Place, class Take>
  void each(Response which, ThreadPool& pool, Place&& place, Take&& take) const;

  std::vector<Region> regions_;
};

}  // namespace resilin
