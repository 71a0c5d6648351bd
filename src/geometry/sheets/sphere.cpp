// The surface of a ball: an icosahedron, subdivided and put on the sphere.
#include <cmath>
#include <map>

#include "geometry/shapes/shape_support.h"
#include "geometry/vec3.h"
#include "resilin/errors.h"

namespace resilin {
namespace {

// Vertices (0, +-1, +-golden) and their cyclic shifts.
TriangleMesh icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  return {{-1, g,  0,  1, g, 0,  -1, -g, 0,  1, -g, 0, 0,  -1, g,  0,  1, g,
           0,  -1, -g, 0, 1, -g, g,  0,  -1, g, 0,  1, -g, 0,  -1, -g, 0, 1},
          {0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4,  11, 10, 2,  10, 7, 6, 7, 1, 8,
           3, 9,  4, 3, 4, 2, 3, 2, 6, 3, 6, 8,  3, 8,  9,  4, 9, 5, 2, 4,  11, 6,  2,  10, 8,  6, 7, 9, 8, 1},
          {},
          {}};
}

void subdivide(TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [at, added] = middles.try_emplace(std::minmax(a, b), mesh.vertex_count());
    if (added)
      for (int k = 0; k < 3; ++k) {
        const std::size_t i = 3 * static_cast<std::size_t>(a) + k, j = 3 * static_cast<std::size_t>(b) + k;
        mesh.vertices.push_back((mesh.vertices[i] + mesh.vertices[j]) / 2);
      }
    return at->second;
  };
  std::vector<int> finer;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3) {
    const int a = mesh.triangles[t], b = mesh.triangles[t + 1], c = mesh.triangles[t + 2];
    const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    finer.insert(finer.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
  }
  mesh.triangles = std::move(finer);
}

void put_on_sphere(TriangleMesh& mesh, double radius) {
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 3) {
    const double length = norm({mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]});
    for (std::size_t k = i; k < i + 3; ++k) mesh.vertices[k] *= radius / length;
  }
}

}  // namespace

TriangleMesh ball_surface(const BallSurfaceOptions& options) {
  require_positive(options.radius, "radius");
  require_finite(options.center, "center");
  if (options.subdivisions < 0 || options.subdivisions > 9)
    throw InputError("subdivisions", std::to_string(options.subdivisions) + " must be in 0..9");
  TriangleMesh mesh = icosahedron();
  put_on_sphere(mesh, options.radius);
  for (int i = 0; i < options.subdivisions; ++i) {
    subdivide(mesh);
    put_on_sphere(mesh, options.radius);
  }
  translate(mesh.vertices, options.center);
  return mesh;
}

SheetPlugin sheet_sphere() {
  return {"The surface of a ball, from a subdivided icosahedron.",
          {number("radius", "m", 0.5, positive(), "radius"),
           integer("subdivisions", 3, between(0, 9), "each cuts every triangle into four; 3: 642 vertices"),
           center_param()},
          [](const Settings& s) {
            return located(s, [&] {
              return ball_surface({s.number("radius"), s.integer("subdivisions"), s.vector3("center")});
            });
          }};
}

}  // namespace resilin
