// Dihedral angles and the volume-to-edge ratio of each tet.
#include <algorithm>
#include <numbers>

#include "geometry/vec3.h"

namespace resilin {

namespace {

// The dihedral angle at edge ab between the faces abc and abd: the angle between c and d seen along the edge.
// atan2 stays accurate near 0 and 180 degrees, where acos loses half the digits, and just there quality matters.
double dihedral(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 n1 = cross(b - a, c - a), n2 = cross(b - a, d - a);
  return std::atan2(norm(cross(n1, n2)), dot(n1, n2)) * 180 / std::numbers::pi;
}

std::array<double, 6> dihedrals(const std::array<Vec3, 4>& p) {
  return {dihedral(p[0], p[1], p[2], p[3]), dihedral(p[0], p[2], p[1], p[3]), dihedral(p[0], p[3], p[1], p[2]),
          dihedral(p[1], p[2], p[0], p[3]), dihedral(p[1], p[3], p[0], p[2]), dihedral(p[2], p[3], p[0], p[1])};
}

double shape_quality(const std::array<Vec3, 4>& p) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) sum += dot(p[j] - p[i], p[j] - p[i]);
  const double rms = std::sqrt(sum / 6);
  return rms > 0 ? std::numbers::sqrt2 * det(p[0], p[1], p[2], p[3]) / (rms * rms * rms) : 0.0;
}

}  // namespace

Quality quality(const TetMesh& mesh) {
  Quality out;
  const int m = mesh.tet_count();
  if (m == 0) return out;
  out.min_quality = 1;
  out.min_dihedral = 180;
  for (int t = 0; t < m; ++t) {
    const auto p = corners(mesh, t);
    const auto angles = dihedrals(p);
    for (double angle : angles)
      if (std::isfinite(angle)) ++out.dihedral_histogram[std::clamp(static_cast<int>(angle / 10), 0, 17)];
    out.tet_quality.push_back(shape_quality(p));
    out.tet_min_dihedral.push_back(*std::min_element(angles.begin(), angles.end()));
    out.tet_max_dihedral.push_back(*std::max_element(angles.begin(), angles.end()));
    out.mean_quality += out.tet_quality.back() / m;
    out.min_quality = std::min(out.min_quality, out.tet_quality.back());
    out.min_dihedral = std::min(out.min_dihedral, out.tet_min_dihedral.back());
    out.max_dihedral = std::max(out.max_dihedral, out.tet_max_dihedral.back());
  }
  return out;
}

}  // namespace resilin
