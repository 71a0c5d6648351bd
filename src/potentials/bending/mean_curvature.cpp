// The length of the mean-curvature vector at every inner vertex (Bouaziz et al. 2014, Section 5): z = sum w_j (x_j - x), the cotangent Laplacian of
// the rest shape over a vertex and its neighbours, is (k1 + k2) A times the normal, A the vertex's share of the area, a third of its triangles:
//
//   E = D/2 sum A (|H| - |H0|)^2,   H = z/A
//
// A spring in z with the rest length |z0|, so it projects: p(z) = |z0| z/|z|. Where the rest shape is flat it is quadratic. H is the curvature of a smooth
// surface on every mesh, which hinges see only on some; saddles with k1 = -k2 cost nothing (docs/theory/shells.md).
//
// The sign rule of Brandt et al. 2018, Appendix A, is not here: z turned to the other side of the surface costs nothing more. The rule compares z with
// the normal of a triangle, which is no linear function of positions, and its energy jumps where z crosses that triangle's plane: no solver but
// projective dynamics could take it. Dihedral bending knows its side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/vec3.h"
#include "potentials/bending/bending.h"
#include "potentials/spring.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

constexpr double flat = 1e-9;  // |z0| this small against the parts that it is the sum of is zero

// A vertex with all of its triangles.
struct Ring {
  std::map<int, double> weight;  // of every neighbour: half the cotangents across from the edge to it
  double area = 0, stiffness = 0;
  int triangles = 0;
  bool inner() const { return static_cast<int>(weight.size()) == triangles; }
};

// The part of a triangle's area that is nearer to corner i than to the others; in obtuse triangles halves and quarters (Meyer et al. 2003).
double share(std::span<const double> rest, const std::array<int, 3>& v, std::size_t i) {
  const auto cot = [&](std::size_t k) { return cotangent(rest, v[k], v[(k + 1) % 3], v[(k + 2) % 3]); };
  const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
  const Vec3 x = vertex_at(rest, v[i]), a = vertex_at(rest, v[j]) - x, b = vertex_at(rest, v[k]) - x;
  const double area = norm(cross(a, b)) / 2, at[3] = {cot(i), cot(j), cot(k)};
  if (at[0] < 0) return area / 2;
  if (at[1] < 0 || at[2] < 0) return area / 4;
  return (dot(a, a) * at[2] + dot(b, b) * at[1]) / 8;
}

std::map<int, Ring> rings(const BendingSource& source) {
  std::map<int, Ring> out;
  for (std::size_t t = 0; t < source.triangles.size(); t += 3) {
    const std::array v{source.triangles[t], source.triangles[t + 1], source.triangles[t + 2]};
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = v[(i + 1) % 3], b = v[(i + 2) % 3];
      const double half = cotangent(source.rest, v[i], a, b) / 2;
      out[a].weight[b] += half, out[b].weight[a] += half;
      Ring& ring = out[v[i]];
      ring.area += share(source.rest, v, i), ring.stiffness += source.stiffness[t / 3], ++ring.triangles;
    }
  }
  std::erase_if(out, [](const auto& one) { return !one.second.inner(); });
  for (auto& [vertex, ring] : out) ring.stiffness /= ring.triangles;
  return out;
}

// |z0|
double rest_length(std::span<const double> rest, int vertex, const Ring& ring) {
  Vec3 sum{};
  double parts = 0;
  for (const auto& [other, weight] : ring.weight) {
    const Vec3 part = weight * (vertex_at(rest, other) - vertex_at(rest, vertex));
    sum = sum + part, parts += norm(part);
  }
  return norm(sum) > flat * parts ? norm(sum) : 0;
}

// Corners that are not needed stand first, the vertex itself last.
void add_fan(Elements& elements, int vertex, const Ring& ring) {
  const auto count = static_cast<std::size_t>(elements.corners());
  std::vector<int> corners(count, vertex);
  std::vector<double> coefficients(count, 0.0);
  std::size_t at = count - 1 - ring.weight.size();
  for (const auto& [other, weight] : ring.weight) {
    corners[at] = other, coefficients[at++] = weight;
    coefficients.back() -= weight;
  }
  elements.add(corners, coefficients, 1 / ring.area);
}

Term make(const BendingSource& source) {
  const auto all = rings(source);
  std::size_t most = 0;
  for (const auto& [vertex, ring] : all) {
    most = std::max(most, ring.weight.size());
    if (ring.weight.size() >= static_cast<std::size_t>(shape_of(ElementKind::fan16).corners))
      throw InputError(source.where,
                       fmt::format("vertex {} has {} neighbours, and mean_curvature takes up to 15; divide its "
                                   "triangles, or use dihedral",
                                   vertex, ring.weight.size()));
  }
  const bool small = most < static_cast<std::size_t>(shape_of(ElementKind::fan8).corners);
  Term term{"mean-curvature bending", Elements(small ? ElementKind::fan8 : ElementKind::fan16), {}};
  std::vector<double> stiffness, length;
  for (const auto& [vertex, ring] : all) {
    add_fan(term.elements, vertex, ring);
    stiffness.push_back(ring.stiffness), length.push_back(rest_length(source.rest, vertex, ring));
  }
  term.elastic = {make_spring(term.elements.kind(), "mean_curvature", stiffness, length)};
  return term;
}

}  // namespace

BendingPlugin bending_mean_curvature() {
  return {
      "Bending by the length of the mean-curvature vector at every inner vertex, against that of the rest shape "
      "(Bouaziz et al. 2014): a projective-dynamics energy. It does not know to which side a surface is curved.",
      bending_params(), make};
}

}  // namespace resilin
