// Bending of shells: energies of the curvature of a triangle mesh, each a term of its own. One file each.
//
//   E = D/2 int (k1 + k2 - rest)^2 dA,   D = E t^3 / (12 (1 - nu^2)) [N m]: the plate of thickness t
#pragma once
#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "resilin/model.h"
#include "resilin/params.h"

namespace resilin {

/// What a bending term is made from.
struct BendingSource {
  const Settings& settings;
  std::span<const double> rest;       // xyz of all vertices of the model
  std::span<const int> triangles;     // of the shell, vertex ids of the model
  std::span<const double> stiffness;  // D [N m], one per triangle
  std::string where;                  // for messages
};

struct BendingPlugin {
  std::string doc;
  Params params;  // its own and bending_params()
  std::function<Term(const BendingSource&)> make;
};

/// The stiffness, where it is not that of the material.
Params bending_params();

/// Two triangles with a common edge from vertex v[0] to v[1]; v[2] is across it in `triangle[0]`, where the edge
/// runs from v[0] to v[1], and v[3] in `triangle[1]`.
struct Hinge {
  std::array<int, 4> v;
  std::array<int, 2> triangle;
};
/// All of them, in the order of their first triangles.
std::vector<Hinge> hinges(std::span<const int> triangles);
/// Angle between the normals of the two triangles, signed: positive where they fold towards the side that normals
/// point to [rad].
double hinge_angle(std::span<const double> positions, const Hinge& hinge);

/// The two triangles of a hinge at rest. `row`: z = sum row_a x_a is zero in the plane, and 2 edge sin(angle/2)
/// long where they fold (Bergou et al. 2006); its entries sum to zero.
struct HingeShape {
  std::array<double, 4> row;
  double edge, areas;  // length [m] and sum of both areas [m^2]
};
HingeShape hinge_shape(std::span<const double> rest, const Hinge& hinge);
/// Cotangent of the angle at `corner` of a triangle whose other vertices are a and b.
double cotangent(std::span<const double> positions, int corner, int a, int b);
/// Mean of D over the two triangles.
inline double hinge_stiffness(const BendingSource& source, const Hinge& hinge) {
  return (source.stiffness[hinge.triangle[0]] + source.stiffness[hinge.triangle[1]]) / 2;
}

/// D of a plate.
inline double plate_stiffness(double young, double poisson, double thickness) {
  return young * thickness * thickness * thickness / (12 * (1 - poisson * poisson));
}

}  // namespace resilin
