#include "contact/obstacles/mesh_region.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "contact/obstacles/distances.h"
#include "core/stamp.h"
#include "geometry/vec3.h"

namespace resilin {
namespace {

constexpr double flat = 1e-6;  // of a cell: so near to an edge its curvature is left out
constexpr int most_rays = 1024;

using Values = double[10][lanes];  // distance, normal, curvature

void set_lane(const SurfaceDistance::Nearest& at, double cell, int l, Values& values) {
  values[0][l] = at.distance;
  for (std::size_t i = 0; i < 3; ++i) values[1 + i][l] = at.normal[i];
  const bool curved = at.part != TrianglePart::face && std::abs(at.distance) > flat * cell;
  const double inverse = curved ? 1 / at.distance : 0;
  int entry = 4;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j <= i; ++j, ++entry)
      values[entry][l] = inverse * ((i == j ? 1.0 : 0.0) - at.normal[i] * at.normal[j] - at.edge[i] * at.edge[j]);
}

void take_values(const Values& values, int derivatives, Distances& out) {
  out.value = load(values[0]);
  for (int i = 0; derivatives > 0 && i < 3; ++i) out.normal[i] = load(values[1 + i]);
  for (int i = 0; derivatives > 1 && i < 6; ++i) out.curvature[i] = load(values[4 + i]);
}

// From a point of the surface straight inward until it comes out, in steps as long as nothing is nearer; no farther
// than `most`.
double depth(const SurfaceDistance& distance, const Vec3& c, const Vec3& normal, double most) {
  double t = 1e-3 * std::min(most, distance.cell());
  for (int step = 0; step < 1000 && t < most; ++step) {
    const double here = distance.nearest(c - t * normal).distance;
    if (here >= 0) return t;
    t += std::max(-here, 1e-3 * t);
  }
  return std::min(t, most);
}

// The least depth below the middles of triangles; below some where there are many.
double least_depth(const SurfaceDistance& distance) {
  const TriangleMesh& mesh = distance.mesh();
  const Bounds box = bounds(mesh.vertices);
  double least = norm(box.upper - box.lower);
  const int stride = std::max(1, mesh.triangle_count() / most_rays);
  for (int t = 0; t < mesh.triangle_count(); t += stride) {
    const auto c = corners(mesh, t);
    const Vec3 across = cross(c[1] - c[0], c[2] - c[0]);
    if (!(norm(across) > 0)) continue;
    least = std::min(least, depth(distance, (1.0 / 3) * (c[0] + c[1] + c[2]), (1 / norm(across)) * across, least));
  }
  return least;
}

// Sets what points over a face that is known have; they are returned.
Mask measure_over(const NearFaces::Face& face, const Pack p[3], Distances& out) {
  Pack corner[3], squares = {};
  for (int k = 0; k < 3; ++k) {
    out.normal[k] = load(face.normal[k]), corner[k] = load(face.corner[k]);
    const Pack moved = p[k] - load(face.at[k]);
    squares += moved * moved;
  }
  out.value = face_distance(out.normal, p, corner);
  const Pack reach = load(face.reach);
  return squares < reach * reach;
}

}  // namespace

MeshRegion::MeshRegion(std::string name, TriangleMesh mesh)
    : name_(std::move(name)), distance_(std::move(mesh)), thickness_(least_depth(distance_)) {}

void MeshRegion::stamp(Stamp& out) const {
  out.add(name_);
  out.add(std::span<const double>(distance_.mesh().vertices));
  out.add(std::span<const int>(distance_.mesh().triangles));
}

// Point by point: every one has another way through the tree. On a face the distance is flat, around an edge it
// curves across, around a corner both ways: by 1/distance, as that to a line or a point.
void MeshRegion::measure(const double* x, int derivatives, Distances& out) const {
  alignas(64) double values[10][lanes];
  for (int l = 0; l < lanes; ++l)
    set_lane(distance_.nearest({x[l], x[lanes + l], x[2 * lanes + l]}), distance_.cell(), l, values);
  take_values(values, derivatives, out);
}

// Points that are known to be over their faces still are measured together.
void MeshRegion::measure_near(const double* x, int derivatives, Distances& out, NearFaces& known) const {
  const Pack p[3] = {load(x), load(x + lanes), load(x + 2 * lanes)};
  Distances second;
  const Mask first_known = measure_over(known.face[0], p, out),
             over = first_known | measure_over(known.face[1], p, second);
  out.value = select(first_known, out.value, second.value);
  for (int i = 0; i < 3; ++i) out.normal[i] = select(first_known, out.normal[i], second.normal[i]);
  for (int i = 0; derivatives > 1 && i < 6; ++i) out.curvature[i] = Pack{};
  const unsigned searched = ~lane_bits(over) & ((1u << lanes) - 1);
  if (searched == 0) return;
  alignas(64) double values[10][lanes] = {};
  for (unsigned left = searched; left != 0; left &= left - 1) {
    const int l = __builtin_ctz(left);
    const Vec3 at{x[l], x[lanes + l], x[2 * lanes + l]};
    const SurfaceDistance::Nearest nearest = distance_.nearest(at);
    set_lane(nearest, distance_.cell(), l, values);
    NearFaces::Face& face = known.face[known.older[l]];
    known.older[l] = 1 - known.older[l];
    face.reach[l] = distance_.influence_radius(at, nearest);
    for (std::size_t k = 0; k < 3; ++k) {
      face.at[k][l] = at[k], face.normal[k][l] = nearest.normal[k];
      face.corner[k][l] = distance_.corner(nearest.triangle)[k];
    }
  }
  Distances fresh;
  take_values(values, derivatives, fresh);
  out.value = select(over, out.value, fresh.value);
  for (int i = 0; derivatives > 0 && i < 3; ++i) out.normal[i] = select(over, out.normal[i], fresh.normal[i]);
  for (int i = 0; derivatives > 1 && i < 6; ++i)
    out.curvature[i] = select(over, out.curvature[i], fresh.curvature[i]);
}

void MeshRegion::lower_bound(const double* x, double* out) const {
  for (int l = 0; l < lanes; ++l) out[l] = distance_.lower_bound({x[l], x[lanes + l], x[2 * lanes + l]});
}

}  // namespace resilin
