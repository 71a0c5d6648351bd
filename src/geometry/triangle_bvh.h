// Questions to a soup of triangles: how far away is it, and is a point inside of it? Inside is answered by the
// generalised winding number, which needs neither a closed nor a manifold surface. Used by fill_surface; it keeps
// what it needs and knows nothing of tets.
#pragma once
#include "geometry/box_tree.h"

namespace resilin {

/// A corner, an edge or the middle of a triangle (a, b, c).
enum class TrianglePart { a, b, c, ab, bc, ca, face };

/// The point of the triangle (a, b, c) that is closest to p, and the part that it is in.
Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, TrianglePart& part);

/// The corners of all triangles, and the boxes around them.
std::vector<std::array<Vec3, 3>> all_corners(const TriangleMesh& mesh);
std::vector<Bounds> boxes_of(const std::vector<std::array<Vec3, 3>>& triangles);

class TriangleBvh {
 public:
  explicit TriangleBvh(const TriangleMesh& mesh);

  /// Distance to the nearest triangle, or `cap` if none is closer.
  double distance(const Vec3& p, double cap) const;
  /// How often the surface winds around p: 1 inside and 0 outside of a closed one, in between where there are
  /// holes.
  double winding(const Vec3& p) const;

 private:
  struct Moments {  // of the area vectors of a node's triangles, about `centre`
    Vec3 centre{}, area{};
    std::array<double, 9> first{};  // sum (x - centre) area^T
    double squared_reach = 0;       // all triangles are this close to the centre
  };
  void expand();
  double solid_angle(int triangle, const Vec3& p) const;

  std::vector<std::array<Vec3, 3>> corners_;
  BoxTree tree_;
  std::vector<Moments> moments_;
};

}  // namespace resilin
