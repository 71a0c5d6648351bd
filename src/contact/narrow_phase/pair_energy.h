// The energy of parts of surfaces that are near each other (docs/theory/contact.md). With d a distance and g the
// offset energy,
//
//   vertex v, triangle t   g(d(v, t)) - 1/2 sum_e g(d(v, e)) + sum_p g(d(v, p))/n_p,  inner edges e, corners p of t
//   edges a and b          h = g prod_i (1 - g_i/g),  g = g(d(a, b)), g_i = g(d(p_i, other edge)) of the four ends
//
// n_p: triangles of corner p. Summed over all triangles near v, an inner edge counts -1 and an inner corner +1: a
// vertex that touches a surface touches it once, over a face, an edge or a corner alike (inclusion and exclusion).
// Each distance is once differentiable, so the sum is. Edges that are nearest at an end p leave that to the vertex
// p: h is zero there and grows smoothly where they cross between their ends, h + g_i = g while one end is near.
// Parallel edges, whose closest points are not unique, are nearest at two ends. h is without bound wherever edges
// meet.
//
//   g(d) = k/2 (r - d)^2 for r/2 <= d <= r,    -k r^2/4 ln(2d/r) + k r^2/8 below: C2, without bound at d = 0
//
// PBD and XPBD see the same energy as one constraint, psi = k/2 c^2 with c = -sqrt(2 psi/k): d - r where r/2 <= d.
// They alone look at points where the two sides have passed through each other; there c goes on with minus the
// distance.
#pragma once
#include <array>

#include "model/coefficients.h"
#include "resilin/model.h"

namespace resilin {

/// g and its first two derivatives. Below r/100, where contact never is, g goes on as a straight line.
struct OffsetEnergy {
  double value, slope, curvature;
};
OffsetEnergy offset_energy(double distance, double stiffness, double radius);

/// The numbers of a vertex and a triangle: what its edges and corners count, in the order of the corners.
struct VertexTriangle {
  double stiffness, radius;
  std::array<double, 3> inner_edges, inner_corners;
  double side = 0;  // on which the vertex was, as side_of has it; 0: not known
};
struct EdgeEdge {
  double stiffness, radius;
  double side = 0;
};
/// 1 or -1: the sign of (b - a) x (c - a) . normal of a triangle, of (a1 - a0) x (b1 - b0) . normal of edges;
/// normal: from side B to side A.
double side_of(bool edges, const std::array<int, 4>& vertices, const double* normal, const double* x);

/// Minus the gradient of their energy by the vertex, or by both ends of the first edge [N].
std::array<double, 3> side_force(const VertexTriangle& numbers, const std::array<int, 4>& vertices,
                                 const double* x);
std::array<double, 3> side_force(const EdgeEdge& numbers, const std::array<int, 4>& vertices, const double* x);
/// h/g of edges (ends `at`) at that distance: what they have of the contact that vertices do not have.
double edge_part(const std::array<const double*, 4>& at, double distance, double radius);

/// The pairs of a list and their energy: elements of kind `dihedral`, z_i = x_i - x_0.
class PairTerm {
 public:
  PairTerm();
  void add(const std::array<int, 4>& vertices, const VertexTriangle& numbers);
  void add(const std::array<int, 4>& vertices, const EdgeEdge& numbers);
  /// Of what was added.
  Term finish() &&;

 private:
  Term term_;
  Coefficients coefficients_;
};

}  // namespace resilin
