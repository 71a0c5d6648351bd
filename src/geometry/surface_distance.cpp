#include "geometry/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/surface_patches.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double least_corners = 4096, most_corners = 16384;  // of the grid
constexpr double rounded = 1e-6;                              // of the size: what a float may be off
constexpr double touching = 1e-9;  // of the size: the way to the nearest point has no direction
constexpr double safe = 0.999;     // of the way that a point may move: round-off

Vec3 unit(const Vec3& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : Vec3{0, 0, 0};
}

// At corner k.
double angle(const std::array<Vec3, 3>& c, std::size_t k) {
  const Vec3 u = unit(c[(k + 1) % 3] - c[k]), v = unit(c[(k + 2) % 3] - c[k]);
  return std::acos(std::clamp(dot(u, v), -1.0, 1.0));
}

}  // namespace

void validate_closed(const TriangleMesh& mesh, const std::string& where) {
  if (mesh.triangles.empty()) throw InputError(where, "the surface has no triangle");
  for (const Defect& defect : check(mesh)) {
    switch (defect.kind) {
      case DefectKind::zero_area:
      case DefectKind::self_intersection:
      case DefectKind::sliver:
      case DefectKind::unreferenced_vertex:
      case DefectKind::coincident_vertices:
      case DefectKind::size_looks_like_millimetres: continue;
      default: break;
    }
    throw InputError(where, std::string(name(defect.kind)) + ": " + defect.detail +
                                ". An obstacle needs a closed surface whose triangles face outward: `resilin check "
                                "FILE --repair OUT` closes holes of doubled vertices and turns triangles");
  }
}

SurfaceDistance::SurfaceDistance(TriangleMesh mesh)
    : mesh_(std::move(mesh)),
      corners_(all_corners(mesh_)),
      tree_(BoxTree(boxes_of(corners_))),
      box_(bounds(mesh_.vertices)) {
  find_normals();
  fill_grid();
}

// Of corners: the mean of the faces around, weighed by their angles there.
void SurfaceDistance::find_normals() {
  std::vector<Vec3> around(static_cast<std::size_t>(mesh_.vertex_count()), Vec3{0, 0, 0});
  std::vector<Vec3> face;
  for (std::size_t t = 0; t < corners_.size(); ++t) {
    const auto& c = corners_[t];
    face.push_back(unit(cross(c[1] - c[0], c[2] - c[0])));
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3& sum = around[mesh_.triangles[3 * t + k]];
      sum = sum + angle(c, k) * face[t];
    }
  }
  normals_.resize(corners_.size());
  for (std::size_t t = 0; t < corners_.size(); ++t) {
    normals_[t][static_cast<std::size_t>(TrianglePart::face)] = face[t];
    for (std::size_t k = 0; k < 3; ++k) normals_[t][k] = unit(around[mesh_.triangles[3 * t + k]]);
  }
  const auto edges = sorted_half_edges(mesh_.triangles, std::vector<bool>(corners_.size(), true));
  for_each_edge(edges, [&](std::span<const HalfEdge> edge) {
    Vec3 sum{0, 0, 0};
    for (const HalfEdge& half : edge) sum = sum + face[half.triangle];
    for (const HalfEdge& half : edge) {
      const auto t = static_cast<std::size_t>(half.triangle);
      for (std::size_t k = 0; k < 3; ++k) {
        const int v = mesh_.triangles[3 * t + k], w = mesh_.triangles[3 * t + (k + 1) % 3];
        if (std::min(v, w) == half.a && std::max(v, w) == half.b) normals_[t][3 + k] = unit(sum);
      }
    }
  });
}

// The nearest triangle, from one that may be near.
int SurfaceDistance::search(const Vec3& p, int first) const {
  int nearest = first;
  double limit = infinite;
  const auto see = [&](int t) {
    const auto& [a, b, c] = corners_[t];
    const Vec3 d = p - closest_on_triangle(p, a, b, c);
    if (dot(d, d) < limit) limit = dot(d, d), nearest = t;
  };
  see(first);
  tree_.search(p, limit, see);
  return nearest;
}

SurfaceDistance::Nearest SurfaceDistance::judge(const Vec3& p, int triangle) const {
  const auto& corner = corners_[triangle];
  Nearest out{};
  out.triangle = triangle;
  const Vec3 way = p - closest_on_triangle(p, corner[0], corner[1], corner[2], out.part);
  const auto part = static_cast<std::size_t>(out.part);
  const Vec3& normal = normals_[triangle][part];
  if (out.part == TrianglePart::face && norm(normal) > 0.5) {
    out.distance = face_distance(normal.data(), p.data(), corner[0].data());
    out.normal = normal;
    return out;
  }
  const double distance = norm(way);
  out.distance = dot(way, normal) < 0 ? -distance : distance;
  out.normal = distance > touching * cell_ ? (1 / out.distance) * way : normal;
  if (!(norm(out.normal) > 0.5)) out.normal = {0, 0, 1};  // on a triangle without area
  if (part >= 3 && part < 6) out.edge = unit(corner[(part - 2) % 3] - corner[part - 3]);
  return out;
}

SurfaceDistance::Nearest SurfaceDistance::nearest(const Vec3& p) const {
  const Corner corner = near_corner(p);
  return judge(p, search(p, corner.at < 0 ? 0 : grid_[corner.at].triangle));
}

// The nearest point moves no farther than p: it stays in the face as long as no edge is nearer, and the nearest as
// long as p comes no nearer to any other triangle.
double SurfaceDistance::influence_radius(const Vec3& p, const Nearest& at) const {
  if (at.part != TrianglePart::face || !(norm(normals_[at.triangle].back()) > 0.5)) return 0;
  const auto& c = corners_[at.triangle];
  const Vec3 foot = p - at.distance * at.normal;
  double margin = infinite;
  for (std::size_t k = 0; k < 3; ++k)
    margin = std::min(margin, dot(foot - c[k], cross(at.normal, unit(c[(k + 1) % 3] - c[k]))));
  if (!(margin > 0)) return 0;
  const double own = std::abs(at.distance);
  double limit = std::pow(own + 2 * margin, 2);  // farther triangles do not count
  tree_.search(p, limit, [&](int t) {
    if (t == at.triangle) return;
    const auto& [a, b, d] = corners_[t];
    const Vec3 way = p - closest_on_triangle(p, a, b, d);
    limit = std::min(limit, dot(way, way));
  });
  return safe * std::max(0.0, 0.5 * (std::sqrt(limit) - own));
}

double SurfaceDistance::lower_bound(const Vec3& p) const {
  const Corner corner = near_corner(p);
  if (corner.at < 0) {  // outside of the grid: to its box
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k)
      square += std::pow(std::max({box_.lower[k] - p[k], p[k] - box_.upper[k], 0.0}), 2);
    return std::sqrt(square);
  }
  const double there = grid_[corner.at].distance;
  return there - corner.apart - rounded * (std::abs(there) + cell_);
}

SurfaceDistance::Corner SurfaceDistance::near_corner(const Vec3& p) const {
  int at = 0;
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double along = (p[k] - box_.lower[k]) / cell_;
    const double nearest = std::round(along);
    if (!(nearest >= 0 && nearest < count_[k])) return {-1, 0};
    at = at * count_[k] + static_cast<int>(nearest);
    square += (along - nearest) * (along - nearest);
  }
  return {at, cell_ * std::sqrt(square)};
}

// As many corners as triangles, about: cells are then not much larger than they are.
void SurfaceDistance::fill_grid() {
  double volume = 1;
  for (std::size_t k = 0; k < 3; ++k) volume *= box_.upper[k] - box_.lower[k];
  const auto wanted = std::clamp(static_cast<double>(corners_.size()), least_corners, most_corners);
  cell_ = std::cbrt(volume / wanted);
  std::size_t size = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    count_[k] = static_cast<int>(std::ceil((box_.upper[k] - box_.lower[k]) / cell_)) + 1;
    size *= static_cast<std::size_t>(count_[k]);
  }
  grid_.reserve(size);
  int triangle = 0;
  for (int i = 0; i < count_[0]; ++i)
    for (int j = 0; j < count_[1]; ++j)
      for (int k = 0; k < count_[2]; ++k) {
        const Vec3 p{box_.lower[0] + i * cell_, box_.lower[1] + j * cell_, box_.lower[2] + k * cell_};
        triangle = search(p, triangle);
        grid_.push_back({static_cast<float>(judge(p, triangle).distance), triangle});
      }
}

}  // namespace resilin
