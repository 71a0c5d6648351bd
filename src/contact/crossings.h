// Edges that pass through triangles: the judge of contact. Decided by the exact signs of determinants.
#pragma once
#include <vector>

#include "contact/contact_surface.h"

namespace resilin {

struct Crossing {
  int edge, triangle;  // of the surface
  auto operator<=>(const Crossing&) const = default;
};

/// All of them at `x` (3 per vertex of the model, finite), ascending. The ends of the edge lie strictly on both sides of the triangle's
/// plane and the edge passes strictly through its inside: what touches, or lies in one plane, does not count, and neither does an edge
/// that has a vertex in common with the triangle.
std::vector<Crossing> crossings(const ContactSurface& surface, const double* x);

}  // namespace resilin
