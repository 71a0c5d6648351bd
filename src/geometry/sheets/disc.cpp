// A flat disc of rings; ring i has 6 i vertices, so that triangles have nearly equal sides.
#include <fmt/format.h>

#include <numbers>

#include "geometry/shapes/shape_support.h"
#include "resilin/sheets.h"

namespace resilin {
namespace {

int first_of(int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); }
int vertex(int ring, int i) { return first_of(ring) + (ring == 0 ? 0 : i % (6 * ring)); }

// Between a ring and the one inside of it, in six equal sectors.
void add_ring(TriangleMesh& mesh, int ring) {
  for (int sector = 0; sector < 6; ++sector)
    for (int i = 0; i < ring; ++i) {
      const int outer = sector * ring + i, inner = sector * (ring - 1) + i;
      mesh.triangles.insert(mesh.triangles.end(),
                            {vertex(ring, outer), vertex(ring, outer + 1), vertex(ring - 1, inner)});
      if (i + 1 < ring)
        mesh.triangles.insert(mesh.triangles.end(),
                              {vertex(ring - 1, inner), vertex(ring, outer + 1), vertex(ring - 1, inner + 1)});
    }
}

}  // namespace

TriangleMesh disc_sheet(const DiscOptions& options) {
  require_positive(options.radius, "radius");
  require_finite(options.center, "center");
  if (options.rings < 1 || options.rings > 3000)
    throw InputError("rings", fmt::format("{} must be in 1..3000", options.rings));
  TriangleMesh mesh;
  mesh.vertices = {options.center[0], options.center[1], options.center[2]};
  mesh.vertex_groups["center"] = {0};
  for (int ring = 1; ring <= options.rings; ++ring) {
    const double radius = options.radius * ring / options.rings;
    for (int i = 0; i < 6 * ring; ++i) {
      const double angle = std::numbers::pi * i / (3 * ring);
      if (ring == options.rings) mesh.vertex_groups["rim"].push_back(mesh.vertex_count());
      mesh.vertices.insert(mesh.vertices.end(), {options.center[0] + radius * std::cos(angle),
                                                 options.center[1] + radius * std::sin(angle), options.center[2]});
    }
    add_ring(mesh, ring);
  }
  return mesh;
}

SheetPlugin sheet_disc() {
  return {"A flat disc in the xy-plane. Groups of vertices: rim, center.",
          {number("radius", "m", 0.5, positive(), "radius"),
           integer("rings", 8, between(1, 3000), "rings of triangles from the centre to the rim"), center_param()},
          [](const Settings& s) {
            return located(s, [&] {
              return disc_sheet({s.number("radius"), s.integer("rings"), s.vector3("center")});
            });
          }};
}

}  // namespace resilin
