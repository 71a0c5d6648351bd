// A ring around z, by its distance function |(|(x, y)| - R, z)| - r.
#include "geometry/shapes/shape_support.h"
#include "geometry/vec3.h"

namespace resilin {

TetMesh torus(const TorusOptions& options) {
  require_positive(options.radius, "radius");
  require_finite(options.center, "center");
  if (!(options.tube_radius > 0 && options.tube_radius < options.radius))
    throw InputError("tube_radius", std::to_string(options.tube_radius) + " must be in (0, radius)");
  const Vec3 c = options.center;
  const double outer = options.radius + options.tube_radius;
  const Vec3 reach{outer, outer, options.tube_radius};
  const auto f = [&](const double* p) {
    const double ring = std::hypot(p[0] - c[0], p[1] - c[1]) - options.radius;
    return std::hypot(ring, p[2] - c[2]) - options.tube_radius;
  };
  return fill_solid(f, {c - reach, c + reach}, options.spacing);
}

ShapePlugin shape_torus() {
  return {"A torus around z, meshed by isosurface stuffing [Labelle and Shewchuk 2007].",
          {number("radius", "m", 0.5, positive(), "distance from the centre to the axis of the tube"),
           number("tube_radius", "m", 0.2, positive(), "radius of the tube, less than radius"), spacing_param(),
           center_param()},
          [](const Settings& s) {
            return located(s, [&] {
              return torus({s.number("radius"), s.number("tube_radius"), s.number("spacing"), s.vector3("center")});
            });
          }};
}

}  // namespace resilin
