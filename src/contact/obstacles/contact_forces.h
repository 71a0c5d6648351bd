// What an obstacle does to vertices at one time: asked by whatever goes with its forces, friction and restitution.
#pragma once
#include <span>
#include <vector>

#include "resilin/potential.h"

namespace resilin {

struct ContactForce {
  int element;          // among those asked about
  double gradient[3];   // of the potential: the force is the other way [N]
  double stiffness[6];  // lower triangle, row by row [N/m]
};

/// The elements that a potential on points pushes, ascending; vertices[i] is that of element i, x is xyz of all
/// vertices.
std::vector<ContactForce> pushes(const Potential& potential, std::span<const int> vertices, double time,
                                 const double* x);

}  // namespace resilin
