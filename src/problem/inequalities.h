// Obstacles that are no energy (Response of resilin/potential.h): vertices of a term of points and the nearest
// places that are allowed to them. Hard ones are inequalities of Phi: what its gradient means there, and how far
// they are violated, is said here for all solvers. Called by Problem.
#pragma once
#include <memory>
#include <vector>

#include "problem/space.h"

namespace resilin {

class Inequalities {
 public:
  explicit Inequalities(const Space& space) : space_(space) {}
  /// Those of the model; pinned vertices are left where they are.
  void take(const Model& model);
  void set_time(double time);
  bool any(Response which) const;

  /// Moves the vertices of y that are inside of an obstacle of that kind to the nearest place outside.
  void project(Response which, double* y) const;
  /// The largest depth in hard ones [m].
  double depth(const double* y) const;
  /// Where y - g/s would be inside of a hard one, with s = mass/tau^2 of the vertex, g becomes s (y - nearest):
  /// zero with y on the border and a force that presses it there, so that it is zero where Phi is least under the
  /// inequalities, and nowhere else.
  void reduce(const double* y, double tau, double* gradient) const;

 private:
  struct Region {
    Response response;
    std::vector<int> vertices;  // free ones
    std::unique_ptr<Kernel> kernel;
  };
  template <class Place, class Take>
  void each(Response which, Place&& place, Take&& take) const;

  const Space& space_;
  std::vector<Region> regions_;
};

}  // namespace resilin
