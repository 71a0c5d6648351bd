// A flat cloth of vertices on a grid: springs of three kinds and triangles for rendering.
#include <cmath>
#include <cstdint>

#include "resilin/errors.h"
#include "resilin/shapes.h"

namespace resilin {

namespace {

void check_options(const ClothOptions& options) {
  const auto count_ok = [](int n) { return n >= 2; };
  if (!count_ok(options.nx)) throw InputError("nx", std::to_string(options.nx) + " must be at least 2 vertices");
  if (!count_ok(options.ny)) throw InputError("ny", std::to_string(options.ny) + " must be at least 2 vertices");
  if (std::int64_t{options.nx} * options.ny > 50'000'000)
    throw InputError("nx", std::to_string(options.nx) + " times ny = " + std::to_string(options.ny) +
                               " must be at most 50000000 vertices");
  for (double s : {options.size_x, options.size_y})
    if (!(s > 0) || !std::isfinite(s)) throw InputError("size", std::to_string(s) + " must be positive and finite");
}

// All edges from (i, j) to (i + dx, j + dy) that stay on the grid; their ids join the group.
void add_edges(EdgeMesh& mesh, const ClothOptions& o, const char* group, int dx, int dy) {
  for (int j = 0; j < o.ny; ++j)
    for (int i = 0; i < o.nx; ++i) {
      if (i + dx < 0 || i + dx >= o.nx || j + dy >= o.ny) continue;
      mesh.element_groups[group].push_back(mesh.edge_count());
      mesh.edges.insert(mesh.edges.end(), {j * o.nx + i, (j + dy) * o.nx + i + dx});
    }
}

void add_triangles(TriangleMesh& mesh, const ClothOptions& o) {
  for (int j = 0; j + 1 < o.ny; ++j)
    for (int i = 0; i + 1 < o.nx; ++i) {
      const int a = j * o.nx + i, b = a + 1, c = b + o.nx, d = a + o.nx;
      if ((i + j) % 2 == 0) mesh.triangles.insert(mesh.triangles.end(), {a, b, c, a, c, d});
      else mesh.triangles.insert(mesh.triangles.end(), {a, b, d, b, c, d});
    }
}

}  // namespace

Cloth grid_cloth(const ClothOptions& options) {
  check_options(options);
  Cloth cloth;
  for (int j = 0; j < options.ny; ++j)
    for (int i = 0; i < options.nx; ++i) {
      const double x = options.size_x * (static_cast<double>(i) / (options.nx - 1) - 0.5);
      const double y = options.size_y * (static_cast<double>(j) / (options.ny - 1) - 0.5);
      const Vec3& c = options.center;
      cloth.springs.vertices.insert(cloth.springs.vertices.end(), {c[0] + x, c[1] + y, c[2]});
      const int id = j * options.nx + i;
      Groups& groups = cloth.springs.vertex_groups;
      if (i == 0) groups["x_min"].push_back(id);
      if (i == options.nx - 1) groups["x_max"].push_back(id);
      if (j == 0) groups["y_min"].push_back(id);
      if (j == options.ny - 1) groups["y_max"].push_back(id);
    }
  add_edges(cloth.springs, options, "stretch", 1, 0);
  add_edges(cloth.springs, options, "stretch", 0, 1);
  add_edges(cloth.springs, options, "shear", 1, 1);
  add_edges(cloth.springs, options, "shear", -1, 1);
  add_edges(cloth.springs, options, "bend", 2, 0);
  add_edges(cloth.springs, options, "bend", 0, 2);
  cloth.triangles.vertices = cloth.springs.vertices;
  cloth.triangles.vertex_groups = cloth.springs.vertex_groups;
  add_triangles(cloth.triangles, options);
  return cloth;
}

}  // namespace resilin
