// The signed distance to a closed surface of triangles, exact: the nearest point by a tree of boxes, the side by
// the normal of the face, edge or corner that the point is in [Baerentzen and Aanaes 2005]. A coarse grid knows the
// nearest triangle of each of its corners, where a search begins: it changes the time that a search takes and
// nothing else.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "geometry/triangle_bvh.h"
#include "geometry/wide_tree.h"

namespace resilin {

/// Throws InputError(where, ...) unless the mesh is finite, closed, oriented and faces outward: with what is wrong
/// and how to repair it.
void validate_closed(const TriangleMesh& mesh, const std::string& where);

/// n . (p - a), for numbers and for packs alike.
template <class T>
T face_distance(const T n[3], const T p[3], const T a[3]) {
  return fma(n[0], p[0] - a[0], fma(n[1], p[1] - a[1], n[2] * (p[2] - a[2])));
}

class SurfaceDistance {
 public:
  /// `mesh`: one that validate_closed lets pass.
  explicit SurfaceDistance(TriangleMesh mesh);
  const TriangleMesh& mesh() const { return mesh_; }
  /// A length [m] that is small against the whole: edge of a cell of the grid.
  double cell() const { return cell_; }

  struct Nearest {
    double distance;  // negative inside
    Vec3 normal;      // its gradient, outward
    TrianglePart part;
    Vec3 edge;  // unit vector along the edge that the nearest point is in
    int triangle;
  };
  Nearest nearest(const Vec3& p) const;
  /// How far p may move before its nearest point is in another part of the surface; 0 unless it is in a face.
  double influence_radius(const Vec3& p, const Nearest& at) const;
  /// Of a face: the distance is normal . (p - corner), the same bits wherever it is computed by face_distance.
  const Vec3& corner(int triangle) const { return corners_[triangle][0]; }
  /// No more than the distance, quickly; 0 or less near the surface and inside.
  double lower_bound(const Vec3& p) const;

 private:
  struct Corner {
    int at;        // of the grid, or -1 outside
    double apart;  // from p
  };
  struct Known {  // of a corner of the grid
    float distance;
    int triangle;
  };
  void find_normals();
  void fill_grid();
  Corner near_corner(const Vec3& p) const;
  int search(const Vec3& p, int first) const;
  Nearest judge(const Vec3& p, int triangle) const;

  TriangleMesh mesh_;
  std::vector<std::array<Vec3, 3>> corners_;
  std::vector<std::array<Vec3, 7>> normals_;  // by TrianglePart
  WideTree tree_;
  Bounds box_;
  double cell_ = 0;
  std::array<int, 3> count_{};  // corners of the grid along each axis
  std::vector<Known> grid_;
};

}  // namespace resilin
