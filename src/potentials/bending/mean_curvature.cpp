// The length of the mean-curvature vector at every inner vertex (Bouaziz et al. 2014, Section 5): z = sum w_j (x_j
// - x), the cotangent Laplacian of the rest shape over a vertex and its neighbours, is (k1 + k2) A times the
// normal, A the vertex's share of the area by distance:
//
//   E = D/2 sum A (|H| - |H0|)^2,   H = z/A
//
// A spring in z with the rest length |z0|, so it projects: p(z) = |z0| z/|z|. Where the rest shape is flat it is
// quadratic. H is the curvature of a smooth surface on every mesh, which hinges see only on some; saddles with k1 =
// -k2 cost nothing (docs/theory/shells.md).
//
// z that has turned to the other side of the surface costs nothing more, unless `keep_side` (Brandt et al. 2018,
// Appendix A): z then belongs on the side of one triangle of the vertex, the one nearest to square to z0, on which
// it was at rest. The element has two edges of this triangle as further rows,
//
//   E = D/2 sum A (|H| - r)^2,   r = |H0| on that side, -|H0| on the other
//
// which is smooth where H passes through zero along the normal, and jumps by 2 D A |H| |H0| where H crosses the
// plane of the triangle otherwise (spring.h). The edges have no force; they are scaled by `faint`, so that matrices
// with one stiffness for all rows hardly see them.
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

constexpr double flat = 1e-9;   // |z0| this small against the parts that it is the sum of is zero
constexpr double faint = 1e-3;  // of the edges of a triangle that tells sides apart

// A vertex with all of its triangles.
struct Ring {
  std::map<int, double> weight;            // of every neighbour: half the cotangents across from the edge to it
  std::vector<std::array<int, 2>> across;  // the other corners of every triangle, in its order
  double area = 0, stiffness = 0;
  bool inner() const { return weight.size() == across.size(); }
};

// The part of a triangle's area that is nearer to corner i than to the others; in obtuse triangles halves and
// quarters (Meyer et al. 2003).
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
      ring.area += share(source.rest, v, i), ring.stiffness += source.stiffness[t / 3];
      ring.across.push_back({a, b});
    }
  }
  std::erase_if(out, [](const auto& one) { return !one.second.inner(); });
  for (auto& [vertex, ring] : out) ring.stiffness /= static_cast<double>(ring.across.size());
  return out;
}

// z0
Vec3 rest_vector(std::span<const double> rest, int vertex, const Ring& ring) {
  Vec3 sum{};
  double parts = 0;
  for (const auto& [other, weight] : ring.weight) {
    const Vec3 part = weight * (vertex_at(rest, other) - vertex_at(rest, vertex));
    sum = sum + part, parts += norm(part);
  }
  return norm(sum) > flat * parts ? sum : Vec3{};
}

// The triangle whose normal is nearest to z0 or to -z0, and |z0| with the sign of that side.
struct Side {
  std::array<int, 2> across;
  double length;
};
Side rest_side(std::span<const double> rest, int vertex, const Ring& ring, const Vec3& z0) {
  Side out{ring.across[0], norm(z0)};
  double most = 0;
  for (const auto& [a, b] : ring.across) {
    const Vec3 x = vertex_at(rest, vertex), normal = cross(vertex_at(rest, a) - x, vertex_at(rest, b) - x);
    const double part = dot(normal, z0) / norm(normal);
    if (std::abs(part) > most) most = std::abs(part), out = {{a, b}, std::copysign(norm(z0), part)};
  }
  return out;
}

// Corners that are not needed stand first, the vertex itself last. Rows: z and, where there are three, the edges to
// `across`.
void add_fan(Elements& elements, int vertex, const Ring& ring, const std::array<int, 2>& across) {
  const auto count = static_cast<std::size_t>(elements.corners());
  std::vector<int> corners(count, vertex);
  std::vector<double> coefficients(count * static_cast<std::size_t>(elements.rows()), 0.0);
  const auto add = [&](std::size_t row, std::size_t at, double weight) {
    coefficients[row * count + at] = weight;
    coefficients[row * count + count - 1] -= weight;
  };
  std::size_t at = count - 1 - ring.weight.size();
  for (const auto& [other, weight] : ring.weight) {
    corners[at] = other;
    add(0, at, weight);
    for (std::size_t i = 0; elements.rows() == 3 && i < 2; ++i)
      if (across[i] == other) add(1 + i, at, faint);
    ++at;
  }
  elements.add(corners, coefficients, 1 / ring.area);
}

Term make(const BendingSource& source) {
  const auto all = rings(source);
  std::size_t most = 0;
  for (const auto& [vertex, ring] : all) {
    most = std::max(most, ring.weight.size());
    if (ring.weight.size() >= static_cast<std::size_t>(shape_of(ElementKind::fan16).corners))
      throw InputError(source.where, fmt::format("vertex {} has {} neighbours, and mean_curvature takes up to 15; "
                                                 "divide its triangles, or use dihedral",
                                                 vertex, ring.weight.size()));
  }
  const bool small = most < static_cast<std::size_t>(shape_of(ElementKind::fan8).corners);
  const bool sided = source.settings.boolean("keep_side");
  const ElementKind kind = sided ? (small ? ElementKind::sided8 : ElementKind::sided16)
                                 : (small ? ElementKind::fan8 : ElementKind::fan16);
  Term term{"mean-curvature bending", Elements(kind), {}};
  std::vector<double> stiffness, length;
  for (const auto& [vertex, ring] : all) {
    const Side side = rest_side(source.rest, vertex, ring, rest_vector(source.rest, vertex, ring));
    add_fan(term.elements, vertex, ring, side.across);
    stiffness.push_back(ring.stiffness), length.push_back(sided ? side.length : std::abs(side.length));
  }
  term.elastic = {make_spring(term.elements.kind(), "mean_curvature", stiffness, length)};
  return term;
}

}  // namespace

BendingPlugin bending_mean_curvature() {
  Params params = bending_params();
  params.add({boolean("keep_side", false,
                      "the mean-curvature vector stays on the side of the surface on which it was at rest, so that "
                      "dents pop back (Brandt et al. 2018)")});
  return {
      "Bending by the length of the mean-curvature vector at every inner vertex, against that of the rest shape "
      "(Bouaziz et al. 2014): a projective-dynamics energy. It does not know to which side a surface is curved, "
      "unless keep_side.",
      std::move(params), make};
}

}  // namespace resilin
