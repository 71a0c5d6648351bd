// The inside of a closed surface of triangles as an obstacle: what meshes and height fields are.
#pragma once
#include "contact/obstacles/obstacle.h"
#include "geometry/surface_distance.h"

namespace resilin {

class MeshRegion : public Obstacle {
 public:
  /// `mesh`: closed, see validate_closed.
  MeshRegion(std::string name, TriangleMesh mesh);
  std::string name() const override { return name_; }
  void stamp(Stamp& out) const override;
  void measure(const double* x, int derivatives, Distances& out) const override;
  bool searches() const override { return true; }
  void measure_near(const double* x, int derivatives, Distances& out, NearFaces& known) const override;
  void lower_bound(const double* x, double* out) const override;
  double thickness() const override { return thickness_; }
  TriangleMesh surface() const override { return distance_.mesh(); }

 private:
  std::string name_;
  SurfaceDistance distance_;
  double thickness_;
};

}  // namespace resilin
