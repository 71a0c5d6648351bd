// A cylinder or tube along z, as the largest of the distances to its planes and mantles: exact on the
// surface, which is what the mesher needs. Its sharp edges are chamfered at the size of the spacing.
#include <algorithm>

#include "geometry/shapes/shape_support.h"
#include "geometry/vec3.h"

namespace resilin {

TetMesh cylinder(const CylinderOptions& options) {
  require_positive(options.radius, "radius");
  require_positive(options.height, "height");
  require_finite(options.center, "center");
  if (!(options.inner_radius >= 0 && options.inner_radius < options.radius))
    throw InputError("inner_radius", std::to_string(options.inner_radius) + " must be in [0, radius)");
  const Vec3 c = options.center, reach{options.radius, options.radius, options.height / 2};
  const auto f = [&](const double* p) {
    const double r = std::hypot(p[0] - c[0], p[1] - c[1]);
    const double solid = std::max(r - options.radius, std::abs(p[2] - c[2]) - options.height / 2);
    return options.inner_radius > 0 ? std::max(solid, options.inner_radius - r) : solid;
  };
  return fill_solid(f, {c - reach, c + reach}, options.spacing);
}

ShapePlugin shape_cylinder() {
  return {
      "A cylinder or a tube along z, meshed by isosurface stuffing [Labelle and Shewchuk 2007]. Its sharp edges "
      "are chamfered.",
      {number("radius", "m", 0.5, positive(), "outer radius"),
       number("height", "m", 1, positive(), "length along z"),
       number("inner_radius", "m", 0, at_least(0), "radius of the bore, less than radius; 0: no bore"),
       spacing_param(), center_param()},
      [](const Settings& s) {
        return located(s, [&] {
          return cylinder({s.number("radius"), s.number("height"), s.number("inner_radius"), s.number("spacing"),
                           s.vector3("center")});
        });
      }};
}

}  // namespace resilin
