// The angles and the area of a flat sheet.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/vec3.h"
#include "resilin/mesh.h"

namespace resilin::test {

inline double degrees_at(const Vec3& p, const Vec3& a, const Vec3& b) {
  return std::atan2(norm(cross(a - p, b - p)), dot(a - p, b - p)) * 180 / std::numbers::pi;
}

struct Angles {
  double least = 180, largest = 0, area = 0;
};
inline Angles angles(const TriangleMesh& mesh) {
  Angles out;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto c = corners(mesh, t);
    for (std::size_t k = 0; k < 3; ++k) {
      const double angle = degrees_at(c[k], c[(k + 1) % 3], c[(k + 2) % 3]);
      out.least = std::min(out.least, angle), out.largest = std::max(out.largest, angle);
    }
    const Vec3 n = cross(c[1] - c[0], c[2] - c[0]);
    EXPECT_GT(n[2], 0) << "faces +z";
    out.area += n[2] / 2;
  }
  return out;
}

}  // namespace resilin::test
