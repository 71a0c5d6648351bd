// A ball, by its distance function |p - c| - r.
#include "geometry/shapes/shape_support.h"
#include "geometry/vec3.h"

namespace resilin {

TetMesh sphere(const SphereOptions& options) {
  require_positive(options.radius, "radius");
  require_finite(options.center, "center");
  const Vec3 c = options.center, reach{options.radius, options.radius, options.radius};
  return fill_solid(
      [&](const double* p) {
        return norm(Vec3{p[0], p[1], p[2]} - c) - options.radius;
      },
      {c - reach, c + reach}, options.spacing);
}

ShapePlugin shape_sphere() {
  return {
      "A ball, meshed by isosurface stuffing [Labelle and Shewchuk 2007].",
      {number("radius", "m", 0.5, positive(), "radius"), spacing_param(), center_param()},
      [](const Settings& s) {
        return located(s, [&] { return sphere({s.number("radius"), s.number("spacing"), s.vector3("center")}); });
      }};
}

}  // namespace resilin
